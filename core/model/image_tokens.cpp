#include "core/model/image_tokens.h"

#include "core/model/forward.h"
#include "core/model/image_tiles.h"
#include "core/model/layers.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace attnlab::model {
namespace {

/// Hidden states side by side, without the first rows.
Matrix side_by_side(const ImageTokens& tokens, const Result& seen) {
    const auto& first = *seen.encoder_hidden[tokens.layers.front()];
    Matrix rows(first.rows - tokens.dropped, first.columns * std::ssize(tokens.layers));
    for (std::int64_t row = 0; row < rows.rows; ++row) {
        float* to = rows.row(row);
        for (const auto layer : tokens.layers)
            to = std::copy_n(seen.encoder_hidden[layer]->row(row + tokens.dropped), first.columns, to);
    }
    return rows;
}

/// One row for each square of patches. Patches that fill no square are left out.
Matrix merged(const ImageTokens& tokens, const Matrix& patches) {
    using Merge = ImageTokens::Merge;
    const auto side = tokens.side, square = side * side, width = patches.columns;
    const auto columns = tokens.patches().columns();
    const bool averages = tokens.merge == Merge::Mean;
    Matrix rows(tokens.count(), averages ? width : square * width);
    for (std::int64_t row = 0; row < tokens.rows(); ++row)
        for (std::int64_t column = 0; column < tokens.columns(); ++column) {
            float* const to = rows.row(row * tokens.columns() + column);
            for (std::int64_t place = 0; place < square; ++place) {
                const auto down = row * side + place / side, across = column * side + place % side;
                const float* const from = patches.row(down * columns + across);
                for (std::int64_t i = 0; i < width; ++i)
                    if (averages)
                        to[i] += from[i] / static_cast<float>(square);
                    else
                        to[tokens.merge == Merge::ByPatch ? place * width + i : i * square + place] = from[i];
            }
        }
    return rows;
}

/// The first half of each row, times the activation of the second.
Matrix gated(const Matrix& rows, const Activation& activation) {
    Matrix halves(rows.rows, rows.columns / 2);
    std::vector<float> gates(static_cast<std::size_t>(halves.columns));
    for (std::int64_t row = 0; row < rows.rows; ++row) {
        const float* const from = rows.row(row);
        std::copy_n(from + halves.columns, halves.columns, gates.begin());
        activate(activation, gates);
        std::transform(gates.begin(), gates.end(), from, halves.row(row), std::multiplies<>());
    }
    return halves;
}

Matrix projected(const ImageTokens& tokens, Matrix rows, const std::vector<Linear>& projections,
                 const RunControl& control) {
    for (std::size_t i = 0; i < projections.size(); ++i) {
        if (tokens.activation && i + 1 == projections.size()) {
            if (tokens.is_gated)
                rows = gated(rows, *tokens.activation);
            else
                activate(*tokens.activation, rows.values);
        }
        rows = product(rows, projections[i], control);
    }
    return rows;
}

/// The rows of one image or tile, then those of ImageTokens::deep.
std::vector<Matrix> rows_of_tile(const ImageTokens& tokens, Pixels image, const RunControl& control) {
    Description tower;
    tower.encoder = tokens.tower;
    Input input;
    input.image = std::move(image);
    const auto seen = forward(tower, std::move(input), {.logits = Options::Logits::None}, control, nullptr);
    auto rows = side_by_side(tokens, seen);
    normalize(rows, tokens.norm);
    if (tokens.side > 1)
        rows = merged(tokens, rows);
    normalize(rows, tokens.merged_norm);
    rows = projected(tokens, std::move(rows), tokens.projections, control);
    std::vector<Matrix> all{std::move(rows)};
    for (const auto& deep : tokens.deep) {
        auto deep_rows = merged(tokens, *seen.encoder_hidden[deep.layer]);
        normalize(deep_rows, deep.merged_norm);
        all.push_back(projected(tokens, std::move(deep_rows), deep.projections, control));
    }
    return all;
}

/// The rows of all tiles, one after the other.
Matrix rows_of_tiles(const ImageTokens& tokens, const Pixels& image, const RunControl& control) {
    const auto count = count_of(*tokens.tiles), size = std::ssize(image.values) / count;
    Matrix rows;
    for (std::int64_t tile = 0; tile < count; ++tile) {
        const auto first = image.values.begin() + tile * size;
        const auto part = control.part(static_cast<double>(tile) / static_cast<double>(count),
                                       static_cast<double>(tile + 1) / static_cast<double>(count));
        const auto own = rows_of_tile(tokens, {image.channels, image.height, image.width, {first, first + size}}, part);
        if (tile == 0)
            rows = Matrix(count * own.front().rows, own.front().columns);
        std::ranges::copy(own.front().values, rows.row(tile * own.front().rows));
    }
    return rows;
}

/// The ids that stand for the image.
std::vector<std::int64_t> ids_of_image(const ImageTokens& tokens) {
    std::vector<std::int64_t> ids(static_cast<std::size_t>(tokens.leading()), tokens.token);
    for (std::int64_t row = 0; row < tokens.rows(); ++row) {
        ids.insert(ids.end(), static_cast<std::size_t>(tokens.columns()), tokens.token);
        if (const auto& behind = row + 1 < tokens.rows() ? tokens.row_end : tokens.last)
            ids.push_back(*behind);
    }
    return ids;
}

const tokens::Tokenizer& tokenizer_of(const Model& model) {
    if (!model.tokenizer())
        throw Error(ATTNLAB_TEXT("The model has no tokenizer beside it, so it reads no text"));
    return *model.tokenizer();
}

std::string spelling(const tokens::Tokenizer& tokenizer, const std::vector<std::int64_t>& ids) {
    std::string text;
    for (const auto id : ids) {
        const auto one = tokenizer.text_of(id);
        if (!one)
            throw Error({ATTNLAB_TEXT("The tokenizer has no token %1, with which the model reads an image"),
                         {std::to_string(id)}});
        text += *one;
    }
    return text;
}

std::int64_t code_points(std::string_view text) {
    return std::count_if(text.begin(), text.end(),
                         [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; });
}

/// A text in which others took the place of some letters. Places and lengths are code points.
struct Expanded {
    struct Piece {
        std::int64_t at = 0, replaced = 0, inserted = 0; ///< `at`: in `text`
    };
    std::string text;
    std::vector<Piece> pieces; ///< in the order of the text

    /// From code points of `text` to those of the text before.
    std::int64_t original(std::int64_t place) const {
        std::int64_t longer = 0;
        for (const auto& piece : pieces) {
            if (place < piece.at)
                break;
            if (place < piece.at + piece.inserted)
                return piece.at - longer;
            longer += piece.inserted - piece.replaced;
        }
        return place - longer;
    }
    bool is_inserted(std::int64_t begin, std::int64_t end) const {
        return std::ranges::any_of(
            pieces, [&](const Piece& piece) { return begin >= piece.at && end <= piece.at + piece.inserted; });
    }
};

/// What stands for one image, and with what the processor puts around it.
struct ImageText {
    std::string image, whole;
};

ImageText text_of_image(const ImageTokens& tokens, const tokens::Tokenizer& tokenizer) {
    const auto spelled = [&](const std::vector<std::int64_t>& ids) { return spelling(tokenizer, ids); };
    auto image = tokens.tiles ? written(*tokens.tiles, tokens, spelled({tokens.token})) : spelled(ids_of_image(tokens));
    auto whole = std::string(tokens.opening) + spelled(tokens.before) + image + spelled(tokens.after) +
                 std::string(tokens.closing);
    return {std::move(image), std::move(whole)};
}

/// `all`: of each image.
Expanded expanded(const std::vector<ImageTokens>& all, const tokens::Tokenizer& tokenizer, std::string_view text) {
    const auto& first = all.front();
    const std::string stands_for(first.placeholder_text);
    const auto placeholder =
        stands_for.empty() ? spelling(tokenizer, {first.placeholder.value_or(first.token)}) : stands_for;
    std::vector<std::size_t> places;
    for (auto place = text.find(placeholder); place != text.npos;
         place = text.find(placeholder, place + placeholder.size()))
        places.push_back(place);
    if (places.size() > 1 && !first.reads_several)
        throw Error({ATTNLAB_TEXT("The text has %1 places for an image (%2), expected one: of this model AttnLab reads "
                                  "one image"),
                     {std::to_string(places.size()), placeholder}});
    if (!places.empty() && places.size() != all.size())
        throw Error(
            {ATTNLAB_TEXT("The text has %1 places for an image (%2), expected %3: one for each image that is given"),
             {std::to_string(places.size()), placeholder, std::to_string(all.size())}});
    const bool puts_whole = places.empty() || first.placeholder || !stands_for.empty() || !first.opening.empty();
    Expanded made;
    std::size_t copied = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto at = places.empty() ? 0 : places[i];
        made.text += text.substr(copied, at - copied);
        const auto one = text_of_image(all[i], tokenizer);
        const auto& put = puts_whole ? one.whole : one.image;
        made.pieces.push_back(
            {code_points(made.text), places.empty() ? 0 : code_points(placeholder), code_points(put)});
        made.text += put;
        copied = places.empty() ? 0 : at + placeholder.size();
    }
    made.text += text.substr(copied);
    return made;
}

/// The image, the token behind it, the text and a new line; without what the tokenizer puts around a text.
Expanded leading(const ImageTokens& tokens, const tokens::Tokenizer& tokenizer, std::string_view text) {
    auto all = expanded({tokens}, tokenizer, text);
    const auto behind = spelling(tokenizer, {*tokens.behind});
    const auto image = spelling(tokenizer, ids_of_image(tokens));
    all.text.insert(all.text.find(image) + image.size(), behind);
    all.text += '\n';
    all.pieces.front().inserted += code_points(behind);
    return all;
}

} // namespace

ImageTokens fitted(const ImageTokens& tokens, const Pixels& image) {
    auto own = tokens;
    auto& patches = *own.tower.embedding.patches;
    if (own.sizes != ImageTokens::Sizes::One) {
        patches.image_height = image.height;
        patches.image_width = image.width;
        for (auto& block : own.tower.blocks) {
            if (block.self.rotary && block.self.rotary->grid) {
                block.self.rotary->grid->rows = patches.rows();
                block.self.rotary->grid->columns = patches.columns();
            }
            if (block.self.patch_windows)
                block.self.patch_windows->columns = patches.columns();
        }
    }
    const Shape shape{image.channels, image.height, image.width};
    const Shape expected{patches.channels, patches.image_height, patches.image_width};
    if (own.rows() < 1 || own.columns() < 1)
        throw Error({ATTNLAB_TEXT("image: has shape %1, too small for one token of the model"), {to_string(shape)}});
    if (own.tiles)
        own.tiles = fitted(*own.tiles, own, image);
    const auto count = own.tiles ? count_of(*own.tiles) : 1;
    if (shape != expected || std::ssize(image.values) != count * element_count(shape))
        throw Error({ATTNLAB_TEXT("image: has shape %1, expected %2: channels, height, width"),
                     {to_string(shape), to_string(expected)}});
    return own;
}

std::vector<Matrix> image_rows(const ImageTokens& tokens, const Pixels& image, const RunControl& control) {
    const auto own = fitted(tokens, image);
    if (!own.tiles) {
        auto all = rows_of_tile(own, image, control);
        scale(all.front(), own.factor);
        return all;
    }
    auto rows = in_order_of_tokens(*own.tiles, own, rows_of_tiles(own, image, control));
    scale(rows, own.factor);
    return {std::move(rows)};
}

void fit_to_tokenizer(ImageTokens& tokens, const tokens::Tokenizer& tokenizer) {
    const auto read = [&tokenizer](const char* name, std::optional<std::int64_t>& id) {
        for (const auto& token : tokenizer.encode(name))
            if (id && token.text == name)
                id = token.id;
    };
    read("[IMG_BREAK]", tokens.row_end);
    read("[IMG_END]", tokens.last);
}

namespace {

/// Of an image in tiles, which texts may stand between: its tokens are the next ones from `from` on.
ImagePlace place_of_tiles(const ImageTokens& tokens, const std::vector<std::int64_t>& ids, std::int64_t from) {
    const auto patches = patches_of_tokens(*tokens.tiles, tokens);
    const auto [rows, columns] = grid_of(*tokens.tiles, tokens);
    ImagePlace place{.first = std::find(ids.begin() + from, ids.end(), tokens.token) - ids.begin(),
                     .rows = rows,
                     .columns = columns,
                     .positions = std::vector<std::int64_t>(static_cast<std::size_t>(rows * columns))};
    auto position = place.first;
    for (auto patch = patches.begin(); patch != patches.end(); ++position)
        if (ids[static_cast<std::size_t>(position)] == tokens.token)
            if (const auto own = *patch++; own >= 0)
                place.positions[static_cast<std::size_t>(own)] = position;
    place.last = position;
    return place;
}

std::int64_t count_of_tokens(const ImageTokens& tokens) {
    return tokens.tiles ? std::ssize(patches_of_tokens(*tokens.tiles, tokens)) : tokens.count();
}

[[noreturn]] void fail_apart(const ImageTokens& tokens, std::int64_t count) {
    throw Error({ATTNLAB_TEXT("input_ids: has %1 tokens of an image (%2), expected %3 in %4 rows, in one piece"),
                 {std::to_string(count), std::to_string(tokens.token), std::to_string(tokens.count()),
                  std::to_string(tokens.rows())}});
}

/// The first place from `from` on. `ids` have enough tokens of images.
ImagePlace place_from(const ImageTokens& tokens, const std::vector<std::int64_t>& ids, std::int64_t from) {
    if (tokens.tiles)
        return place_of_tiles(tokens, ids, from);
    const auto wanted = ids_of_image(tokens);
    const auto found = std::search(ids.begin() + from, ids.end(), wanted.begin(), wanted.end());
    if (found == ids.end() || std::find(ids.begin() + from, found, tokens.token) != found)
        fail_apart(tokens, std::ranges::count(ids, tokens.token));
    const auto first = found - ids.begin(), stride = tokens.columns() + (tokens.row_end ? 1 : 0);
    ImagePlace place{.first = first,
                     .last = first + std::ssize(wanted) - (tokens.last ? 1 : 0),
                     .rows = tokens.rows(),
                     .columns = tokens.columns()};
    for (std::int64_t row = 0; row < place.rows; ++row)
        for (std::int64_t column = 0; column < place.columns; ++column)
            place.positions.push_back(first + tokens.leading() + row * stride + column);
    return place;
}

void check_count(const std::vector<ImageTokens>& all, const std::vector<std::int64_t>& ids) {
    const auto& first = all.front();
    std::int64_t expected = 0;
    for (const auto& tokens : all)
        expected += count_of_tokens(tokens);
    const auto count = std::ranges::count(ids, first.token);
    if (count == expected)
        return;
    if (all.size() == 1 && !first.tiles)
        fail_apart(first, count);
    throw Error({ATTNLAB_TEXT("input_ids: has %1 tokens of an image (%2), expected %3"),
                 {std::to_string(count), std::to_string(first.token), std::to_string(expected)}});
}

std::vector<ImageTokens> fitted(const ImageTokens& tokens, const std::vector<const Pixels*>& images) {
    if (images.size() > 1 && !tokens.reads_several)
        throw Error({ATTNLAB_TEXT("%1 images are given, expected one: of this model AttnLab reads one image"),
                     {std::to_string(images.size())}});
    std::vector<ImageTokens> all;
    for (const auto* image : images)
        all.push_back(fitted(tokens, *image));
    return all;
}

} // namespace

ImagePlace place_of_image(const ImageTokens& tokens, const std::vector<std::int64_t>& ids) {
    check_count({tokens}, ids);
    return place_from(tokens, ids, 0);
}

std::vector<const Pixels*> images_of(const Input& input) {
    std::vector<const Pixels*> images;
    if (input.image)
        images.push_back(&*input.image);
    for (const auto& image : input.further_images)
        images.push_back(&image);
    return images;
}

std::vector<ImagePlace> places_of_images(const ImageTokens& tokens, const Input& input) {
    const auto all = fitted(tokens, images_of(input));
    std::vector<ImagePlace> places;
    if (all.empty())
        return places;
    check_count(all, input.ids);
    for (const auto& one : all)
        places.push_back(place_from(one, input.ids, places.empty() ? 0 : places.back().last));
    return places;
}

std::vector<std::array<std::int64_t, 3>> places_of(const std::vector<ImagePlace>& images, std::int64_t count) {
    std::vector<std::array<std::int64_t, 3>> places;
    std::int64_t next = 0;
    auto image = images.begin();
    for (std::int64_t position = 0; position < count; ++position) {
        if (image == images.end() || position < image->first) {
            places.push_back({next, next, next});
            ++next;
            continue;
        }
        const auto patch = position - image->first;
        places.push_back({next, next + patch / image->columns, next + patch % image->columns});
        if (position + 1 == image->last) {
            next += std::max(image->rows, image->columns);
            ++image;
        }
    }
    return places;
}

std::vector<tokens::Token> tokens_with_images(const Model& model, std::string_view text,
                                              const std::vector<const Pixels*>& images, const RunControl& control) {
    const auto tokens = fitted(*model.description().image_tokens, images);
    const auto& tokenizer = tokenizer_of(model);
    const bool is_leading = tokens.front().behind.has_value();
    const auto all = is_leading ? leading(tokens.front(), tokenizer, text) : expanded(tokens, tokenizer, text);
    auto made = tokenizer.encode(all.text, {}, control);
    if (is_leading)
        std::erase_if(made, [](const auto& token) { return token.special; });
    for (auto& token : made)
        if (!token.special) {
            token.special = all.is_inserted(token.begin, token.end);
            token.begin = all.original(token.begin);
            token.end = all.original(token.end);
        }
    return made;
}

std::vector<tokens::Token> tokens_with_image(const Model& model, std::string_view text, const Pixels& image,
                                             const RunControl& control) {
    return tokens_with_images(model, text, {&image}, control);
}

void label_image(const Model& model, const Input& input, std::vector<std::string>& labels) {
    if (!model.description().image_tokens)
        return;
    const auto places = places_of_images(*model.description().image_tokens, input);
    for (std::size_t image = 0; image < places.size(); ++image)
        for (std::int64_t row = 0; row < places[image].rows; ++row)
            for (std::int64_t column = 0; column < places[image].columns; ++column)
                labels[static_cast<std::size_t>(places[image].position(row, column))] =
                    "[" + (image > 0 ? std::to_string(image + 1) + ":" : "") + std::to_string(row) + "," +
                    std::to_string(column) + "]";
}

} // namespace attnlab::model
