#include "ui/model/model_input.h"

#include "core/model/image.h"
#include "core/model/image_tokens.h"
#include "core/model/sound.h"
#include "core/tokens/unicode.h"
#include "core/utf8.h"
#include "ui/document/local_files.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <numeric>
#include <QByteArray>
#include <QImageReader>

namespace attnlab::ui {

namespace {

constexpr int largest_image_megabytes = 512, shown_side = 448;

std::vector<std::int64_t> idsOf(const std::vector<tokens::Token>& tokens) {
    std::vector<std::int64_t> ids;
    for (const auto& token : tokens)
        ids.push_back(token.id);
    return ids;
}

std::vector<std::int64_t> typedIds(const QString& text) {
    std::vector<std::int64_t> ids;
    for (const auto& word : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        bool is_number = false;
        ids.push_back(word.trimmed().toLongLong(&is_number));
        if (!is_number)
            throw Error({ATTNLAB_TEXT("the model has no tokenizer beside it: has “%1”, expected token ids as 1, 2, 3"),
                         {word.trimmed().left(40).toStdString()}});
    }
    return ids;
}

QImage readImage(const QString& path) {
    QImageReader reader(path);
    reader.setAutoTransform(true);
    QImageReader::setAllocationLimit(largest_image_megabytes);
    auto image = reader.read().convertToFormat(QImage::Format_RGB888);
    if (image.isNull())
        throw Error({ATTNLAB_TEXT("%1: cannot be read as an image: %2"),
                     {toPath(path).string(), reader.errorString().toStdString()}});
    return image;
}

model::Picture pixelsOf(const QImage& image) {
    model::Picture picture{image.height(), image.width(), {}};
    for (int row = 0; row < image.height(); ++row)
        picture.values.insert(picture.values.end(), image.constScanLine(row),
                              image.constScanLine(row) + 3 * std::ptrdiff_t{image.width()});
    return picture;
}

/// Letters of the text up to the end of each token. A special token ends where the one before it does.
std::vector<qsizetype> endsOf(const std::vector<tokens::Token>& tokens, const QString& text) {
    std::vector<qsizetype> letters{0}; // by the number of characters
    for (const QChar unit : text) {
        if (unit.isLowSurrogate() && letters.size() > 1)
            ++letters.back();
        else
            letters.push_back(letters.back() + 1);
    }
    std::vector<qsizetype> ends;
    for (const auto& token : tokens) {
        const auto end = static_cast<std::size_t>(std::max<std::int64_t>(0, token.end));
        const qsizetype before = ends.empty() ? 0 : ends.back();
        ends.push_back(token.special ? before : letters[std::min(end, letters.size() - 1)]);
    }
    return ends;
}

/// Of alphabets with capitals: elsewhere a letter may be a word. Where every word is spelled by design, none counts.
std::int64_t spelledWords(const model::Model& opened, const std::vector<qsizetype>& ends, const QString& text) {
    constexpr std::int64_t letters_and_bytes = 512, shortest = 3;
    const auto* tokens = opened.description().first().embedding.tokens;
    if (!tokens || tokens->rows() <= letters_and_bytes)
        return 0;
    const auto is_letter = [](QChar letter) { return letter.toLower() != letter.toUpper(); };
    std::int64_t count = 0;
    for (qsizetype first = 0; first < text.size();) {
        qsizetype last = first;
        while (last < text.size() && is_letter(text[last]))
            ++last;
        const auto pieces = std::ranges::count_if(ends, [&](qsizetype end) { return end > first && end <= last; });
        if (last - first >= shortest && pieces >= last - first)
            ++count;
        first = std::max(last, first + 1);
    }
    return count;
}

/// Counts the letters that are read as bytes: more than one token comes from each of them.
void countBytes(const std::vector<tokens::Token>& tokens, const QString& text, TextSize& size) {
    constexpr qsizetype most_named = 8;
    const auto letters = text.toUcs4();
    std::vector<int> parts(static_cast<std::size_t>(letters.size()));
    QStringList named;
    for (const auto& token : tokens)
        if (!token.special)
            for (auto at = token.begin; at < std::min<std::int64_t>(token.end, letters.size()); ++at)
                ++parts[static_cast<std::size_t>(at)];
    for (qsizetype at = 0; at < letters.size(); ++at) {
        if (parts[static_cast<std::size_t>(at)] < 2)
            continue;
        ++size.in_bytes;
        const auto letter = QString::fromUcs4(reinterpret_cast<const char32_t*>(&letters[at]), 1);
        if (named.contains(letter))
            continue;
        named << letter;
        if (named.size() > most_named)
            continue;
        const bool is_apart = !size.first_in_bytes.isEmpty() && parts[static_cast<std::size_t>(at - 1)] < 2;
        size.first_in_bytes += is_apart ? QLatin1Char(' ') + letter : letter;
    }
    if (named.size() > most_named)
        size.first_in_bytes += QChar(0x2026);
}

TextSize sizeOf(const model::Model& opened, const std::vector<tokens::Token>& tokens, const QString& text) {
    TextSize size{opened.length_of(idsOf(tokens)), opened.description().longest, -1, endsOf(tokens, text)};
    size.unknown = model::unknown_tokens(tokens, text.toStdString());
    countBytes(tokens, text, size);
    size.spelled = spelledWords(opened, size.ends, text);
    for (const auto& token : tokens)
        size.special.push_back(token.special);
    if (!size.isTooLong())
        return size;
    const auto behind = std::find_if(tokens.rbegin(), tokens.rend(), [](const auto& token) { return !token.special; }) -
                        tokens.rbegin(); // they follow the shorter text, too
    for (auto first = static_cast<std::size_t>(std::max<std::int64_t>(0, size.most - behind));
         first < tokens.size() && size.readable < 0; ++first)
        if (!tokens[first].special) {
            const auto letters = text.toUcs4().first(tokens[first].begin);
            size.readable = QString::fromUcs4(reinterpret_cast<const char32_t*>(letters.data()), letters.size()).size();
        }
    return size;
}

QImage cutOut(const QImage& image, const model::PictureRegion& region) {
    const QRectF part(region.left * image.width(), region.top * image.height(), region.width * image.width(),
                      region.height * image.height());
    return image.copy(part.toRect());
}

/// Models stretch an image to their own shape.
QImage stretched(const QImage& image, const model::Patches& patches) {
    const auto width = static_cast<int>(patches.image_width), height = static_cast<int>(patches.image_height);
    const int times = std::max(1, shown_side / std::max(width, height));
    return image.scaled(width * times, height * times, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
}

/// Of an image that a tower reads; `rows` and `columns` of squares of `side` patches.
PatchPlace placeOf(const model::Patches& patches, std::int64_t side) {
    const auto rows = patches.rows() / side, columns = patches.columns() / side;
    PatchPlace place{
        .rows = static_cast<int>(rows),
        .columns = static_cast<int>(columns),
        .first = static_cast<int>(patches.leading_count()),
        .covered = {static_cast<double>(columns * side * patches.width) / static_cast<double>(patches.image_width),
                    static_cast<double>(rows * side * patches.height) / static_cast<double>(patches.image_height)}};
    place.positions.resize(static_cast<std::size_t>(rows * columns));
    std::iota(place.positions.begin(), place.positions.end(), place.first);
    return place;
}

/// The image among the tokens of the text.
void takeImage(const model::ImageTokens& tokens, const std::filesystem::path& folder, const QString& file,
               ModelInput& made) {
    const auto image = readImage(file);
    auto prepared = model::prepare(pixelsOf(image), tokens, folder);
    const auto own = model::fitted(tokens, prepared.pixels);
    made.input.image = std::move(prepared.pixels);
    if (own.tiles) { // of all of it
        made.picture = image;
        return;
    }
    made.picture = stretched(cutOut(image, prepared.region), own.patches());
    made.patches = placeOf(own.patches(), own.side);
}

void findImage(const model::ImageTokens& tokens, ModelInput& made) {
    const auto place = model::place_of_image(model::fitted(tokens, *made.input.image), made.input.ids);
    made.patches.rows = static_cast<int>(place.rows);
    made.patches.columns = static_cast<int>(place.columns);
    made.patches.positions.assign(place.positions.begin(), place.positions.end());
    made.patches.is_within_text = true;
}

/// Tokens that are a part of a letter are called by their bytes: 0xE4BB. They have no other text.
void nameBytes(const model::Model& opened, const std::vector<std::int64_t>& ids, std::vector<std::string>& labels) {
    for (std::size_t at = 0; at < std::min(ids.size(), labels.size()); ++at) {
        if (labels[at].find("\uFFFD") == std::string::npos)
            continue;
        const auto spelled = opened.tokenizer()->text_of(ids[at]);
        if (const auto bytes = spelled ? nameOfBytes(*spelled) : std::nullopt)
            labels[at] = *bytes;
    }
}

/// Of tokens, with bytes by their numbers.
std::vector<std::string> textLabels(const model::Model& opened, const std::vector<std::int64_t>& ids,
                                    const RunControl& control) {
    auto labels = model::labels_of(opened, ids, control);
    if (opened.tokenizer())
        nameBytes(opened, ids, labels);
    return labels;
}

/// The tokens in front and the patches of an image.
std::vector<std::string> patchLabels(const model::Patches& patches) {
    std::vector<std::string> labels;
    for (const auto& tokens : patches.leading)
        for (std::int64_t i = 0; i < tokens.count; ++i)
            labels.push_back(std::string(tokens.name) + (tokens.count > 1 ? std::to_string(i + 1) : ""));
    for (std::int64_t row = 0; row < patches.rows(); ++row)
        for (std::int64_t column = 0; column < patches.columns(); ++column)
            labels.push_back(std::to_string(row) + "," + std::to_string(column));
    return labels;
}

} // namespace

ModelInput inputOf(const model::Model& opened, const std::filesystem::path& folder, const ModelRequest& request,
                   const RunControl& control) {
    ModelInput made;
    auto& input = made.input;
    const auto& description = opened.description();
    if (const auto& patches = description.first().embedding.patches) {
        const auto image = readImage(request.image);
        auto prepared = model::prepare(pixelsOf(image), *patches, folder);
        input.image = std::move(prepared.pixels);
        made.picture = stretched(cutOut(image, prepared.region), *patches);
        made.patches = placeOf(*patches, 1);
        return made;
    }
    const auto& images = description.image_tokens;
    const bool has_image = images && !request.image.isEmpty();
    if (has_image)
        takeImage(*images, folder, request.image, made);
    const bool translates = description.encoder && description.decoder;
    if (const auto& frames = description.first().embedding.frames) {
        auto prepared = model::prepare_sound(toPath(request.sound), *frames, control);
        input.sound = std::move(prepared.sound);
        made.sound_notes = std::move(prepared.notes);
    } else if (request.written && !translates) {
        input.ids = request.written->ids;
        input.written = static_cast<std::int64_t>(request.written->ids.size() - request.written->first);
        made.size = {opened.length_of(input.ids), description.longest, -1, request.written->ends};
    } else if (request.are_ids || !opened.tokenizer()) {
        input.ids = typedIds(request.text);
        made.size = {opened.length_of(input.ids), description.longest, -1};
    } else {
        const auto text = request.text.toStdString();
        const auto tokens = has_image ? model::tokens_with_image(opened, text, *input.image, control)
                                      : opened.tokenizer()->encode(text, {}, control);
        auto of_text = opened.input_of(tokens);
        of_text.image = std::move(input.image);
        input = std::move(of_text);
        made.size = sizeOf(opened, tokens, request.text);
    }
    if (has_image)
        findImage(*images, made);
    if (translates)
        input.decoder_ids =
            request.written
                ? request.written->ids
                : opened.decoder_ids(input.ids, request.target.isEmpty() || !opened.tokenizer()
                                                    ? std::vector<std::int64_t>()
                                                    : opened.target_ids(request.target.toStdString(), control));
    return made;
}

ModelLabels labelsOf(const model::Model& opened, const model::Input& input, const RunControl& control) {
    const auto& description = opened.description();
    const auto& patches = description.first().embedding.patches;
    ModelLabels labels;
    const auto& frames = description.first().embedding.frames;
    labels.encoder = patches  ? patchLabels(*patches)
                     : frames ? model::frame_labels(*frames, frames->rows_of(input.sound->count))
                              : textLabels(opened, input.ids, control);
    if (!patches && !frames)
        model::label_image(opened, input, labels.encoder);
    labels.decoder =
        description.encoder && description.decoder ? textLabels(opened, input.decoder_ids, control) : labels.encoder;
    return labels;
}

std::optional<std::string> nameOfBytes(std::string_view spelled) {
    if (const auto bytes = tokens::bytes_of_letters(spelled); bytes && !is_utf8(*bytes))
        return "0x" + QByteArray::fromStdString(*bytes).toHex().toUpper().toStdString();
    if (spelled.starts_with("<0x") && spelled.ends_with('>')) // where letters lack a token
        return std::string(spelled.substr(1, spelled.size() - 2));
    return std::nullopt;
}

QString textOfOutcome(const std::string& label, const std::string& spelled) {
    const QString text = textOf(label);
    if (text.contains(QChar::ReplacementCharacter))
        return textOf(nameOfBytes(spelled).value_or(spelled));
    const auto is_unseen = [](QChar letter) { return !letter.isPrint() && !letter.isSpace(); };
    if (!text.isEmpty() && std::ranges::all_of(text, is_unseen))
        return QStringLiteral("0x") + QString::fromLatin1(text.toUtf8().toHex().toUpper());
    return text.isEmpty() ? textOf(spelled) : text;
}

} // namespace attnlab::ui
