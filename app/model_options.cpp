#include "app/model_options.h"

#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "core/model/image.h"
#include "core/model/image_tokens.h"
#include "core/model/model_results.h"
#include "core/model/one_head.h"
#include "core/model/sound.h"
#include "ui/document/local_files.h"
#include "ui/document/samples.h"

#include <algorithm>
#include <QImageReader>

namespace attnlab::app {
namespace {

constexpr std::int64_t largest_text_file = std::int64_t{1} << 24;
constexpr int largest_image_megabytes = 512;

using tokens::Token;

std::vector<std::int64_t> typedIds(const QString& text) {
    std::vector<std::int64_t> ids;
    for (const auto& word : text.split(u',')) {
        bool is_number = false;
        ids.push_back(word.trimmed().toLongLong(&is_number));
        if (!is_number)
            throw UsageError("--ids: has '" + word.toStdString() + "', expected integers, as 1,2,3");
    }
    return ids;
}

/// Of ids that were not made from a text.
std::vector<Token> spelled(const std::vector<std::int64_t>& ids, const model::Model& model) {
    std::vector<Token> tokens;
    for (const auto id : ids) {
        Token token;
        token.id = id;
        if (model.tokenizer())
            token.text = model.tokenizer()->text_of(id).value_or("");
        tokens.push_back(token);
    }
    return tokens;
}

const tokens::Tokenizer& tokenizerOf(const model::Model& model) {
    if (!model.tokenizer())
        throw Error(ATTNLAB_TEXT("The model has no tokenizer beside it; --ids gives tokens as numbers"));
    return *model.tokenizer();
}

model::Picture readPicture(const QString& path) {
    QImageReader reader(path);
    reader.setAutoTransform(true);
    QImageReader::setAllocationLimit(largest_image_megabytes);
    const auto image = reader.read().convertToFormat(QImage::Format_RGB888);
    if (image.isNull())
        throw Error({ATTNLAB_TEXT("%1: cannot be read as an image: %2"),
                     {ui::toPath(path).string(), reader.errorString().toStdString()}});
    model::Picture picture{image.height(), image.width(), {}};
    for (int row = 0; row < image.height(); ++row)
        picture.values.insert(picture.values.end(), image.constScanLine(row),
                              image.constScanLine(row) + 3 * std::ptrdiff_t{image.width()});
    return picture;
}

} // namespace

std::filesystem::path modelPath(const QString& argument) {
    const auto path = ui::toPath(argument);
    std::error_code ignored;
    return argument == QLatin1String("sample") && !std::filesystem::exists(path, ignored) ? ui::modelsFolder() / path
                                                                                          : path;
}

void addModelInputOptions(CommandParser& parser) {
    parser.addOptions(
        {{"text", "The text that the model reads.", "TEXT"},
         {"text-file", "The same from a file, in UTF-8.", "FILE"},
         {"ids", "Token ids instead of a text.", "1,2,3"},
         {"image",
          "An image instead of a text, for a model that reads one; beside --text or --ids for a model that reads "
          "both. Once for each place in the text.",
          "FILE"},
         {"sound", "A sound instead of a text (WAV, FLAC, OGG, MP3), for a model that reads one.", "FILE"},
         {"pair", "A second text behind the first, for a model that reads two.", "TEXT"},
         {"target", "The text of the decoder, for a model that translates.", "TEXT"}});
    parser.allowSeveral({"image"});
}

QStringList modelInputFiles(const QCommandLineParser& parser) {
    QStringList files;
    for (const auto* name : {"text-file", "image", "sound"})
        if (parser.isSet(name))
            files << parser.values(name);
    return files;
}

void checkModelInput(const QCommandLineParser& parser) {
    QStringList given;
    for (const auto* name : {"text", "text-file", "ids", "image", "sound"})
        if (parser.isSet(name))
            given << "--" + QString::fromLatin1(name);
    if (given.isEmpty())
        throw UsageError("--text: is missing; --text-file, --ids, --image or --sound stand in its place");
    const bool is_beside = given.contains("--image") && !given.contains("--sound") && given.size() == 2;
    if (given.size() > 1 && !is_beside)
        throw UsageError(given[1].toStdString() + ": is given together with " + given[0].toStdString() +
                         ", expected one of the two");
    if (parser.isSet("pair") && (parser.isSet("ids") || parser.isSet("image") || parser.isSet("sound")))
        throw UsageError("--pair: follows a text, and none is given");
}

ModelInput readModelInput(const QCommandLineParser& parser, const model::Model& model,
                          const std::filesystem::path& folder) {
    ModelInput read;
    const auto& description = model.description();
    const auto& patches = description.first().embedding.patches;
    if (patches) {
        if (!parser.isSet("image"))
            throw UsageError("--image: is missing; this model reads an image");
        for (const auto* name : {"text", "text-file", "ids"})
            if (parser.isSet(name))
                throw UsageError("--" + std::string(name) + ": this model reads an image alone");
        if (parser.values("image").size() > 1)
            throw UsageError("--image: is given several times, and this model reads one image");
        read.input.image = model::prepare(readPicture(parser.value("image")), *patches, folder).pixels;
        return read;
    }
    const auto& frames = description.first().embedding.frames;
    const auto& images = description.image_tokens;
    if (parser.isSet("image") && !images)
        throw UsageError(frames                          ? "--image: this model reads a sound"
                         : description.text_type.empty() ? "--image: this model reads text"
                                                         : "--image: AttnLab computes the language model alone of this "
                                                           "model, not how it reads images");
    for (const auto& file : parser.values("image")) {
        auto pixels = model::prepare(readPicture(file), *images, folder).pixels;
        if (read.input.image)
            read.input.further_images.push_back(std::move(pixels));
        else
            read.input.image = std::move(pixels);
    }
    if (!frames && parser.isSet("sound"))
        throw UsageError("--sound: this model reads text");
    if (frames) {
        if (!parser.isSet("sound"))
            throw UsageError("--sound: is missing; this model reads a sound");
        auto prepared = model::prepare_sound(ui::toPath(parser.value("sound")), *frames);
        read.input.sound = std::move(prepared.sound);
        read.notes = std::move(prepared.notes);
    } else if (parser.isSet("ids")) {
        read.input.ids = typedIds(parser.value("ids"));
        read.tokens = spelled(read.input.ids, model);
    } else {
        const auto text = givenText(parser, largest_text_file); // empty: an image may stand alone
        const auto pair = typedBytes(parser, "pair");
        read.tokens = read.input.image       ? model::tokens_with_images(model, text, model::images_of(read.input))
                      : parser.isSet("pair") ? tokenizerOf(model).encode(text, pair)
                                             : tokenizerOf(model).encode(text);
        auto input = model.input_of(read.tokens);
        input.image = std::move(read.input.image);
        input.further_images = std::move(read.input.further_images);
        read.input = std::move(input);
        read.unknown = model::unknown_tokens(read.tokens, text + pair);
    }
    const bool translates = description.encoder && description.decoder;
    if (parser.isSet("target") && !translates)
        throw UsageError("--target: this model has no decoder beside an encoder");
    if (translates) {
        const auto target = typedBytes(parser, "target");
        if (parser.isSet("target"))
            tokenizerOf(model);
        read.input.decoder_ids = model.decoder_ids(
            read.input.ids, parser.isSet("target") ? model.target_ids(target) : std::vector<std::int64_t>());
        read.targets = spelled(read.input.decoder_ids, model);
    }
    read.labels = frames ? model::frame_labels(*frames, frames->rows_of(read.input.sound->count))
                         : model::labels_of(model, read.input.ids);
    model::label_image(model, read.input, read.labels);
    read.target_labels = model::labels_of(model, read.input.decoder_ids);
    return read;
}

void addWritten(ModelInput& input, const model::Model& model, const model::Input& longer) {
    const bool translates = !longer.decoder_ids.empty();
    auto& tokens = translates ? input.targets : input.tokens;
    const auto& ids = translates ? longer.decoder_ids : longer.ids;
    for (const auto& token : spelled({ids.begin() + std::ssize(tokens), ids.end()}, model))
        tokens.push_back(token);
    input.input = longer;
    (translates ? input.target_labels : input.labels) = model::labels_of(model, ids);
    if (!translates)
        model::label_image(model, longer, input.labels);
}

model::PassTokens tokensOf(const ModelInput& input, const std::string& pass) {
    const bool of_targets = pass.starts_with("decoder") && !input.input.decoder_ids.empty();
    const bool is_cross = pass.ends_with(".cross");
    model::PassTokens tokens;
    tokens.queries = of_targets ? input.target_labels : input.labels;
    tokens.keys = of_targets && !is_cross ? input.target_labels : input.labels;
    tokens.keys_are_queries = !is_cross;
    return tokens;
}

QString ablateHelp() {
    return QStringLiteral("Switch heads off before the output projection: decoder.3.self:5,decoder.4.self:0.");
}

std::vector<model::Ablation> readAblations(const QCommandLineParser& parser, model::Ablation::By by) {
    std::vector<model::Ablation> all;
    if (!parser.isSet("ablate"))
        return all;
    for (const auto& word : parser.value("ablate").split(u',')) {
        const auto at = word.lastIndexOf(u':');
        bool is_number = false;
        const auto head = at < 0 ? 0 : word.mid(at + 1).trimmed().toLongLong(&is_number);
        if (!is_number)
            throw UsageError("--ablate: has '" + word.toStdString() + "', expected PASS:HEAD, as decoder.3.self:5");
        all.push_back({word.left(at).trimmed().toStdString(), head, by});
    }
    return all;
}

void addModelOptions(CommandParser& parser) {
    parser.addOptions(
        {{"model", "A model on disk, or sample, in place of arrays; needs --pass and --text or another input.", "PATH"},
         {"ablate", ablateHelp(), "PASS:HEAD,..."}});
    addModelInputOptions(parser);
}

void checkModelIsGiven(const QCommandLineParser& parser) {
    if (parser.isSet("model"))
        return;
    for (const auto* name : {"text", "text-file", "ids", "image", "sound", "pair", "target", "ablate"})
        if (parser.isSet(name))
            throw UsageError("--" + std::string(name) + ": is read by a model, and --model is missing");
}

AttentionProblem readModelProblem(const QCommandLineParser& parser) {
    if (!parser.positionalArguments().isEmpty())
        throw UsageError("--model: stands in place of files, and '" +
                         parser.positionalArguments().first().toStdString() + "' is given too");
    if (!parser.isSet("pass"))
        throw UsageError("--pass: is missing; 'attnlab model PATH --text T --json' lists the passes");
    checkModelInput(parser);
    const auto path = modelPath(parser.value("model"));
    const auto opened = model::Model::open(path);
    for (const auto& note : opened.description().unread.notes())
        printError("attnlab: note: " + note.english());
    const auto name = parser.value("pass").toStdString();
    const auto known = opened.pass_names();
    if (std::find(known.begin(), known.end(), name) == known.end())
        throw UsageError("--pass: is '" + name + "', expected " + known.front() + " to " + known.back());
    const auto input = readModelInput(parser, opened, path);
    for (const auto& note : input.notes)
        printError("attnlab: note: " + note.english());
    const model::Options options{.logits = model::Options::Logits::None,
                                 .ablations = readAblations(parser, model::Ablation::By::Zero)};
    const auto pass = opened.run(input.input, options).find(name);
    return model::problem_of(*pass, tokensOf(input, name));
}

} // namespace attnlab::app
