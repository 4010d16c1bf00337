#include "core/model/image_tiles.h"

#include "core/message.h"
#include "core/model/layers.h"
#include "core/tensor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace attnlab::model {
namespace {

double ratio_of(const Extent& size) { return static_cast<double>(size.second) / static_cast<double>(size.first); }

/// Rounded to 7 digits and cut, as Transformers does against errors of the last digit.
std::int64_t cut_to_integer(double value) {
    constexpr double digits = 1e7;
    return static_cast<std::int64_t>(std::nearbyint(value * digits) / digits);
}

/// Patches of the canvas, without the frame around the picture.
void cut_frame(const Extent& picture, ImageTiles& tiles) {
    const auto height = static_cast<double>(picture.first), width = static_cast<double>(picture.second);
    const auto rows = tiles.shown_rows, columns = tiles.shown_columns;
    if (ratio_of(picture) > ratio_of({rows, columns})) {
        tiles.top = (rows - cut_to_integer(height * (static_cast<double>(columns) / width))) / 2;
        tiles.shown_rows -= 2 * tiles.top;
    } else {
        tiles.left = (columns - cut_to_integer(width * (static_cast<double>(rows) / height))) / 2;
        tiles.shown_columns -= 2 * tiles.left;
    }
}

/// A picture of more patches than `most` tiles have is shrunk to about as many.
void shrink(const ImageTokens& tokens, ImageTiles& tiles) {
    tiles.kept_rows = tiles.shown_rows;
    tiles.kept_columns = tiles.shown_columns;
    if (tiles.most == 0)
        return;
    constexpr double tolerance = 1.1;
    const double ratio = std::sqrt(static_cast<double>(tiles.shown_rows * tiles.shown_columns) /
                                   static_cast<double>(tiles.most * tokens.rows() * tokens.rows()));
    if (ratio <= tolerance)
        return;
    tiles.kept_rows = static_cast<std::int64_t>(std::floor(static_cast<double>(tiles.shown_rows) / ratio));
    tiles.kept_columns = static_cast<std::int64_t>(std::floor(static_cast<double>(tiles.shown_columns) / ratio));
}

/// Two places and the part of the second, of place `index` of `to` among `from`.
struct Between {
    std::int64_t first = 0, second = 0;
    float part = 0.0F;
};
Between between(std::int64_t index, std::int64_t from, std::int64_t to) {
    const float scale = static_cast<float>(from) / static_cast<float>(to);
    const float at = std::max(0.0F, scale * (static_cast<float>(index) + 0.5F) - 0.5F);
    const auto first = std::min(static_cast<std::int64_t>(at), from - 1);
    return {first, std::min(first + 1, from - 1), at - static_cast<float>(first)};
}

/// Rows of patches by interpolation between four each.
Matrix shrunk(const Matrix& rows, const Extent& from, const Extent& to) {
    if (from == to)
        return rows;
    Matrix small(to.first * to.second, rows.columns);
    for (std::int64_t row = 0; row < to.first; ++row)
        for (std::int64_t column = 0; column < to.second; ++column) {
            const auto down = between(row, from.first, to.first), across = between(column, from.second, to.second);
            float* const out = small.row(row * to.second + column);
            const auto add = [&](std::int64_t y, std::int64_t x, float weight) {
                const float* const in = rows.row(y * from.second + x);
                for (std::int64_t i = 0; i < rows.columns; ++i)
                    out[i] += weight * in[i];
            };
            add(down.first, across.first, (1.0F - down.part) * (1.0F - across.part));
            add(down.first, across.second, (1.0F - down.part) * across.part);
            add(down.second, across.first, down.part * (1.0F - across.part));
            add(down.second, across.second, down.part * across.part);
        }
    return small;
}

/// The rows of the tiles as one picture, without its frame.
Matrix picture_of(const ImageTiles& tiles, const ImageTokens& tokens, const Matrix& rows) {
    Matrix picture(tiles.shown_rows * tiles.shown_columns, rows.columns);
    for (std::int64_t row = 0; row < tiles.shown_rows; ++row)
        for (std::int64_t column = 0; column < tiles.shown_columns; ++column) {
            const auto down = tiles.top + row, across = tiles.left + column;
            const auto tile = down / tokens.rows() * tiles.columns + across / tokens.columns();
            const auto patch = down % tokens.rows() * tokens.columns() + across % tokens.columns();
            std::copy_n(rows.row((1 + tile) * tokens.count() + patch), rows.columns,
                        picture.row(row * tiles.shown_columns + column));
        }
    return picture;
}

/// With numbers in place of "%r", "%c" and "%n".
std::string numbered(std::string_view text, std::int64_t row, std::int64_t column, std::int64_t number) {
    std::string made;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char kind = text[i] == '%' && i + 1 < text.size() ? text[i + 1] : '\0';
        if (kind == 'r' || kind == 'c' || kind == 'n') {
            made += std::to_string(kind == 'r' ? row : kind == 'c' ? column : number);
            ++i;
        } else {
            made += text[i];
        }
    }
    return made;
}

} // namespace

Extent best_canvas(const std::vector<Extent>& sizes, const Extent& picture) {
    const auto height = static_cast<double>(picture.first), width = static_cast<double>(picture.second);
    std::int64_t most_kept = 0, least_wasted = std::numeric_limits<std::int64_t>::max();
    Extent best = sizes.front();
    for (const auto& size : sizes) {
        const double scale =
            std::min(static_cast<double>(size.second) / width, static_cast<double>(size.first) / height);
        const auto kept = std::min(static_cast<std::int64_t>(width * scale) * static_cast<std::int64_t>(height * scale),
                                   picture.first * picture.second);
        const auto wasted = size.first * size.second - kept;
        if (kept > most_kept || (kept == most_kept && wasted < least_wasted)) {
            most_kept = kept;
            least_wasted = wasted;
            best = size;
        }
    }
    return best;
}

Extent within_canvas(const Extent& canvas, const Extent& picture) {
    const double down = static_cast<double>(canvas.first) / static_cast<double>(picture.first);
    const double across = static_cast<double>(canvas.second) / static_cast<double>(picture.second);
    const auto up = [](std::int64_t side, double by) {
        return static_cast<std::int64_t>(std::ceil(static_cast<double>(side) * by));
    };
    return across < down ? Extent{std::min(up(picture.first, across), canvas.first), canvas.second}
                         : Extent{canvas.first, std::min(up(picture.second, down), canvas.second)};
}

Extent closest_grid(const Extent& picture, const Extent& tile, std::int64_t fewest, std::int64_t most) {
    const auto area = static_cast<double>(picture.first) * static_cast<double>(picture.second);
    const auto area_of_tile = static_cast<double>(tile.first) * static_cast<double>(tile.second);
    double smallest = std::numeric_limits<double>::infinity();
    Extent best{1, 1};
    for (auto count = fewest; count <= most; ++count)
        for (std::int64_t columns = 1; columns <= count; ++columns) {
            if (count % columns != 0)
                continue;
            const Extent grid{count / columns, columns};
            const double off = std::abs(ratio_of(picture) - ratio_of(grid));
            // Of grids of one shape more tiles are better, unless they have more than twice the picture's area.
            if (off < smallest || (off == smallest && area > 0.5 * area_of_tile * static_cast<double>(count)))
                best = grid;
            smallest = std::min(smallest, off);
        }
    return best;
}

Extent with_longer_side(const Extent& picture, std::int64_t longest) {
    constexpr std::int64_t most = 4096;
    const double ratio = ratio_of(picture);
    const auto even = [](double side) {
        const auto cut = static_cast<std::int64_t>(side);
        return std::max<std::int64_t>(1, cut + cut % 2);
    };
    const auto side = static_cast<double>(longest);
    auto [height, width] =
        picture.second >= picture.first ? Extent{even(side / ratio), longest} : Extent{longest, even(side * ratio)};
    const double rounded = ratio_of({height, width});
    if (width >= height && width > most) {
        height = static_cast<std::int64_t>(static_cast<double>(most) / rounded);
        width = most;
    } else if (height > width && height > most) {
        width = static_cast<std::int64_t>(static_cast<double>(most) * rounded);
        height = most;
    }
    return {std::max<std::int64_t>(1, height), std::max<std::int64_t>(1, width)};
}

Extent in_whole_tiles(const Extent& picture, std::int64_t side) {
    const auto whole = [side](std::int64_t length) { return (length + side - 1) / side * side; };
    const double ratio = ratio_of(picture);
    if (picture.second >= picture.first) {
        const auto width = whole(picture.second);
        return {whole(static_cast<std::int64_t>(static_cast<double>(width) / ratio)), width};
    }
    const auto height = whole(picture.first);
    return {height, whole(static_cast<std::int64_t>(static_cast<double>(height) * ratio))};
}

ImageTiles fitted(const ImageTiles& tiles, const ImageTokens& tokens, const Pixels& image) {
    auto own = tiles;
    own.rows = image.tile_rows;
    own.columns = image.tile_columns;
    const bool is_canvas = tiles.kind == ImageTiles::Kind::Canvas;
    constexpr std::int64_t most_tiles = 1024;
    if (own.rows < 0 || own.columns < 0 || (own.rows == 0) != (own.columns == 0) || own.rows > most_tiles ||
        own.columns > most_tiles || (is_canvas && own.rows == 0))
        throw Error({ATTNLAB_TEXT("image: has %1 x %2 tiles, which this model does not read"),
                     {std::to_string(own.rows), std::to_string(own.columns)}});
    own.shown_rows = own.rows * tokens.rows();
    own.shown_columns = own.columns * tokens.columns();
    if (is_canvas) {
        if (image.picture_height < 1 || image.picture_width < 1)
            throw Error(ATTNLAB_TEXT("image: its size before it was cut into tiles is missing"));
        cut_frame({image.picture_height, image.picture_width}, own);
    }
    shrink(tokens, own);
    if (own.rows > 0 && (own.kept_rows < 1 || own.kept_columns < 1))
        throw Error({ATTNLAB_TEXT("image: has shape %1, too small for one token of the model"),
                     {to_string(Shape{image.channels, image.picture_height, image.picture_width})}});
    return own;
}

std::int64_t count_of(const ImageTiles& tiles) { return 1 + tiles.rows * tiles.columns; }

Extent grid_of(const ImageTiles& tiles, const ImageTokens& tokens) {
    return tiles.rows == 0 ? Extent{tokens.rows(), tokens.columns()} : Extent{tiles.kept_rows, tiles.kept_columns};
}

std::vector<std::int64_t> patches_of_tokens(const ImageTiles& tiles, const ImageTokens& tokens) {
    std::vector<std::int64_t> patches;
    const auto add_none = [&patches](std::int64_t count) {
        patches.insert(patches.end(), static_cast<std::size_t>(count), -1);
    };
    const auto [rows, columns] = grid_of(tiles, tokens);
    if (tiles.kind == ImageTiles::Kind::Canvas) {
        add_none(tokens.count());
        for (std::int64_t row = 0; row < rows; ++row) {
            for (std::int64_t column = 0; column < columns; ++column)
                patches.push_back(row * columns + column);
            add_none(tiles.row_end ? 1 : 0);
        }
        return patches;
    }
    const auto add_tile = [&](std::int64_t down, std::int64_t across, std::int64_t width) {
        add_none(tokens.leading());
        for (std::int64_t row = 0; row < tokens.rows(); ++row)
            for (std::int64_t column = 0; column < tokens.columns(); ++column)
                patches.push_back((down * tokens.rows() + row) * width + across * tokens.columns() + column);
    };
    for (std::int64_t row = 0; row < tiles.rows; ++row)
        for (std::int64_t column = 0; column < tiles.columns; ++column)
            add_tile(row, column, columns);
    if (tiles.rows == 0)
        add_tile(0, 0, columns);
    else
        add_none(tokens.count());
    return patches;
}

Matrix in_order_of_tokens(const ImageTiles& tiles, const ImageTokens& tokens, Matrix rows) {
    if (tiles.kind != ImageTiles::Kind::Canvas)
        return rows;
    const Extent shown{tiles.shown_rows, tiles.shown_columns}, kept{tiles.kept_rows, tiles.kept_columns};
    const auto picture = shrunk(picture_of(tiles, tokens, rows), shown, kept);
    const auto end = tiles.row_end ? widened(*tiles.row_end) : std::vector<float>();
    const auto per_row = kept.second + (end.empty() ? 0 : 1);
    Matrix ordered(tokens.count() + kept.first * per_row, rows.columns);
    std::copy_n(rows.values.begin(), tokens.count() * rows.columns, ordered.values.begin());
    for (std::int64_t row = 0; row < kept.first; ++row) {
        float* const to = ordered.row(tokens.count() + row * per_row);
        std::copy_n(picture.row(row * kept.second), kept.second * rows.columns, to);
        std::ranges::copy(end, to + kept.second * rows.columns);
    }
    return ordered;
}

std::string written(const ImageTiles& tiles, const ImageTokens& tokens, const std::string& token) {
    std::string text;
    const auto add = [&](std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i)
            text += token;
    };
    if (tiles.kind == ImageTiles::Kind::Canvas) {
        add(std::ssize(patches_of_tokens(tiles, tokens)));
        return text;
    }
    for (std::int64_t row = 0; row < tiles.rows; ++row) {
        for (std::int64_t column = 0; column < tiles.columns; ++column) {
            text += numbered(tiles.tile, row + 1, column + 1, row * tiles.columns + column + 1);
            add(tokens.count());
        }
        text += tiles.row;
    }
    if (tiles.rows > 0)
        text += tiles.between;
    text += tiles.whole;
    add(tokens.count());
    return text + std::string(tiles.behind);
}

} // namespace attnlab::model
