#include "ui/model/model_input.h"

#include "core/model/image.h"
#include "core/model/one_head.h"
#include "ui/document/file_name.h"

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

/// Models stretch an image to their own shape.
QImage stretched(const QImage& image, const model::Patches& patches) {
    const auto width = static_cast<int>(patches.image_width), height = static_cast<int>(patches.image_height);
    const int times = std::max(1, shown_side / std::max(width, height));
    return image.scaled(width * times, height * times, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
}

/// The class token and the patches of an image.
std::vector<std::string> patchLabels(const model::Patches& patches) {
    std::vector<std::string> labels;
    if (patches.class_token)
        labels.emplace_back("CLS");
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
        input.image = model::prepare(pixelsOf(image), *patches, folder);
        made.picture = stretched(image, *patches);
        return made;
    }
    if (!opened.tokenizer()) {
        input.ids = typedIds(request.text);
    } else {
        const auto tokens = opened.tokenizer()->encode(request.text.toStdString(), {}, control);
        input.ids = idsOf(tokens);
        if (description.first().embedding.types)
            for (const auto& token : tokens)
                input.types.push_back(token.type);
    }
    if (description.encoder && description.decoder)
        input.decoder_ids =
            opened.shifted(request.target.isEmpty() || !opened.tokenizer()
                               ? std::vector<std::int64_t>()
                               : idsOf(opened.tokenizer()->encode(request.target.toStdString(), {}, control)));
    return made;
}

ModelLabels labelsOf(const model::Model& opened, const model::Input& input, const RunControl& control) {
    const auto& description = opened.description();
    const auto& patches = description.first().embedding.patches;
    ModelLabels labels;
    labels.encoder = patches ? patchLabels(*patches) : model::labels_of(opened, input.ids, control);
    labels.decoder = description.encoder && description.decoder ? model::labels_of(opened, input.decoder_ids, control)
                                                                : labels.encoder;
    return labels;
}

} // namespace attnlab::ui
