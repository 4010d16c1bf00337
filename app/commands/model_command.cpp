// Implements `attnlab model`: runs a model on a text, an image or a sound and prints every head.
#include "app/command_table.h"
#include "app/commands/page_output.h"
#include "app/effects_report.h"
#include "app/json_output.h"
#include "app/model_options.h"
#include "app/model_report.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "app/streams.h"
#include "core/io/file_formats.h"
#include "core/io/json.h"
#include "core/io/saved/result_file.h"
#include "core/lookup.h"
#include "core/model/model_results.h"
#include "core/model/text_embedding.h"
#include "ui/document/local_files.h"
#include "ui/export/formats.h"
#include "ui/export/web_page.h"

#include <cmath>
#include <optional>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <set>

namespace attnlab::app {
namespace {

using model::Ablation, model::Model;

std::set<std::string, std::less<>> keptKinds(const QCommandLineParser& parser) {
    const auto known = model::kinds_of_arrays();
    if (!parser.isSet("keep"))
        return {known.begin(), known.end()};
    std::set<std::string, std::less<>> kinds;
    for (const auto& word : parser.value("keep").split(u',')) {
        const auto kind = word.trimmed().toStdString();
        if (std::find(known.begin(), known.end(), kind) == known.end())
            throw UsageError("--keep: has '" + kind + "', expected " + listed(known));
        kinds.insert(kind);
    }
    return kinds;
}

/// --ablate-with.
Ablation::By replacement(const QCommandLineParser& parser) {
    const bool mean = parser.isSet("ablate-with") && parser.value("ablate-with") == QLatin1String("mean");
    if (parser.isSet("ablate-with") && !mean && parser.value("ablate-with") != QLatin1String("zero"))
        throw UsageError("--ablate-with: is '" + parser.value("ablate-with").toStdString() +
                         "', expected zero or mean");
    return mean ? Ablation::By::Mean : Ablation::By::Zero;
}

/// --continue, --temperature and --seed, without a result.
std::optional<WrittenReport> writingOptions(const QCommandLineParser& parser, std::int64_t& count) {
    for (const auto* option : {"temperature", "seed"})
        if (parser.isSet(option) && !parser.isSet("continue"))
            throw UsageError("--" + std::string(option) + ": says how --continue works, which is missing");
    if (!parser.isSet("continue"))
        return std::nullopt;
    const auto wrong = [&](const char* option, const char* expected) {
        return UsageError("--" + std::string(option) + ": is '" + parser.value(option).toStdString() + "', expected " +
                          expected);
    };
    bool is_number = false;
    count = parser.value("continue").toLongLong(&is_number);
    if (!is_number || count < 1)
        throw wrong("continue", "a number of tokens from 1");
    WrittenReport report{.temperature = parser.isSet("seed") ? 1.0 : 0.0};
    if (parser.isSet("seed")) {
        report.seed = parser.value("seed").toULongLong(&is_number);
        if (!is_number)
            throw wrong("seed", "a number from 0");
    }
    if (parser.isSet("temperature")) {
        report.temperature = parser.value("temperature").toDouble(&is_number);
        if (!is_number || !(report.temperature >= 0.0) || !std::isfinite(report.temperature))
            throw wrong("temperature", "0 or a positive number");
    }
    return report;
}

/// Writes on behind `input`, which then has what was written.
void writeOn(WrittenReport& report, std::int64_t count, const Model& model, ModelInput& input,
             const std::vector<Ablation>& ablations) {
    report.written = model::write_on(
        model, input.input,
        {.count = count, .temperature = report.temperature, .seed = report.seed, .ablations = ablations});
    const auto& longer = report.written.input;
    const auto& ids = longer.decoder_ids.empty() ? longer.ids : longer.decoder_ids;
    if (model.tokenizer()) {
        const auto before = model.tokenizer()->decode({ids.begin(), ids.end() - std::ssize(report.written.tokens)});
        const auto whole = model.tokenizer()->decode(ids);
        report.text = whole.starts_with(before) ? whole.substr(before.size()) : whole;
    }
    addWritten(input, model, longer);
}

/// `SUFFIX` of files that hold several arrays.
QStringList suffixesOfSeveral() {
    QStringList suffixes;
    for (const auto& format : io::tensor_formats())
        if (format.write && format.holds == io::TensorFormat::Holds::Tensors)
            suffixes << QString::fromStdString(std::string(format.suffix));
    return suffixes;
}

/// --precision.
model::Arithmetic arithmetic(const QCommandLineParser& parser) {
    const auto text = parser.value("precision").toStdString();
    for (const auto known : {model::Arithmetic::Float32, model::Arithmetic::BFloat16})
        if (text == name_of(known))
            return known;
    throw UsageError("--precision: has '" + text + "', expected float32 or bfloat16");
}

std::vector<ui::WebPagePass> passesOf(const Model& model, const model::Result& result, const ModelInput& input) {
    std::vector<ui::WebPagePass> passes;
    for (const auto& pass : result.passes)
        passes.push_back({marked(pass->name, model.description().arithmetic), pass->heads, pass->queries, pass->keys,
                          [pass] { return pass; }, tokensOf(input, pass->name)});
    return passes;
}

void checkSize(const TensorMap& arrays, bool keeps_all) {
    constexpr std::int64_t most = std::int64_t{1} << 31; ///< 8 GB of float32
    std::int64_t numbers = 0;
    for (const auto& [name, array] : arrays)
        numbers += array.size();
    if (numbers > most)
        throw UsageError("--out: takes up to " + std::to_string(most) + " numbers, there are " +
                         std::to_string(numbers) + (keeps_all ? "; --keep chooses some of them" : ""));
}

std::vector<std::string> axesOfArray(const std::string& kind, int rank) {
    if (kind == "query")
        return {"head", "query", "feature"};
    if (kind == "key" || kind == "value")
        return {"head", "key", "feature"};
    if (kind == "weights")
        return {"head", "query", "key"};
    if (kind == "logits")
        return rank == 1 ? std::vector<std::string>{"class"} : std::vector<std::string>{"token", "vocabulary"};
    return rank == 1 ? std::vector<std::string>{"token"} : std::vector<std::string>{"token", "feature"};
}

/// What explains the arrays that are written.
io::ArrayInfo arrayInfo(const QCommandLineParser& parser, const ModelInput& input, const TensorMap& arrays) {
    io::ArrayInfo info;
    info.program = std::string("AttnLab ") + ATTNLAB_VERSION;
    for (const auto& [name, array] : arrays)
        info.axes[name] = axesOfArray(name.substr(name.rfind('.') + 1), array.rank());
    if (!input.labels.empty())
        info.tokens[input.input.sound ? "frames" : "input_ids"] = input.labels;
    if (!input.target_labels.empty())
        info.tokens["decoder_input_ids"] = input.target_labels;
    QJsonObject settings{{"model", parser.positionalArguments().first()}};
    for (const char* option : {"text", "text-file", "ids", "image", "sound", "pair", "target", "ablate", "ablate-with",
                               "continue", "seed", "temperature", "precision"})
        if (parser.isSet(option))
            settings[QLatin1String(option)] = parser.value(option);
    info.settings = QJsonDocument(settings).toJson(QJsonDocument::Compact).toStdString();
    return info;
}

/// Prints the cosine of two texts, and with --effects that without each head in the first text.
void compareTexts(const CommandParser& parser, const Model& model, const std::filesystem::path& folder) {
    for (const auto* option :
         {"out", "keep", "lens", "words", "continue", "target", "pair", "image", "sound", "patch", "between", "align"})
        if (parser.isSet(option))
            throw UsageError("--" + std::string(option) +
                             ": is given together with --similar, which compares two texts");
    const auto pooling = model::read_text_pooling(folder);
    const auto first = readModelInput(parser, model, folder);
    if (!model.tokenizer())
        throw UsageError("--similar: the model has no tokenizer beside it");
    const auto second = model.input_of(model.tokenizer()->encode(parser.value("similar").toStdString()));
    model::Options options{.logits = model::Options::Logits::None,
                           .ablations = readAblations(parser, replacement(parser))};
    const auto result = model.run(first.input, options);
    const auto other = model::text_embedding(model, model.run(second, options), pooling);
    const auto similarity = [&](const model::Result& run) {
        return model::cosine(model::text_embedding(model, run, pooling), other);
    };
    const double before = similarity(result);
    QJsonArray effects;
    if (!parser.isSet("json"))
        printOut("cosine        %.4f (%s%s)\n", before, pooling.text().c_str(),
                 pooling.is_given ? "" : "; the folder has no modules.json");
    if (parser.isSet("effects"))
        for (const auto& pass : result.passes)
            for (std::int64_t head = 0; head < pass->heads; ++head) {
                auto without = options;
                without.ablations.push_back({pass->name, head, replacement(parser)});
                const double after = similarity(model.run(first.input, without, {}, &result));
                if (parser.isSet("json"))
                    effects.append(QJsonObject{{"pass", QString::fromStdString(pass->name)},
                                               {"head", static_cast<qint64>(head)},
                                               {"cosine", after}});
                else
                    printOut("%s:%lld%*s%.4f  %+.4f\n", pass->name.c_str(), static_cast<long long>(head), 4, "", after,
                             after - before);
            }
    if (!parser.isSet("json"))
        return;
    QJsonObject all{{"cosine", before}, {"pooling", QString::fromStdString(pooling.text())}};
    if (parser.isSet("effects"))
        all["effects"] = effects;
    printJson(all);
}

} // namespace

int modelCommand(const QStringList& arguments) {
    CommandParser parser;
    parser.setApplicationDescription("Computes every head of a model that is on disk, for a text, ids, an image or a "
                                     "sound.");
    parser.addPositionalArgument("PATH",
                                 "A folder of Hugging Face with config.json, weights and a tokenizer; a GGUF file; or "
                                 "sample, the small model that comes with the program.",
                                 "model PATH");
    addModelInputOptions(parser);
    parser.addOptions(
        {{"keep", "What to write: query, key, value, weights, hidden, logits, separated by commas. Default: all.",
          "KINDS"},
         {"ablate", ablateHelp(), "PASS:HEAD,..."},
         {"ablate-with",
          "The output of a head of --ablate or --effects: zero (the default), or its mean over positions.",
          "zero|mean"},
         {"continue",
          "Write on for so many tokens, the likeliest each time unless --seed or --temperature is given. All that "
          "follows is about the longer text.",
          "N"},
         {"seed", "With --continue: draw the tokens, with this seed.", "S"},
         {"temperature",
          "With --continue: draw the tokens from logits divided by this; 0: the likeliest. Default: 1 with --seed.",
          "T"},
         {"align",
          "Print the source token that each token of the decoder was written by: the key with the largest weight of a "
          "cross-attention, as decoder.5.cross (the mean over its heads) or decoder.5.cross:3.",
          "PASS[:HEAD]"},
         {"similar",
          "A second text: print the cosine of the embeddings of both, pooled as modules.json of sentence-transformers "
          "says (without it: the mean of the tokens); with --effects also without each head in the first text.",
          "TEXT"},
         {"precision",
          "The type of the factors in products of activations and weights: float32 (default), or bfloat16, which "
          "rounds "
          "both and adds up in float32. bfloat16 is faster if the processor has instructions for it. All outputs are "
          "marked with it.",
          "P", "float32"},
         {"json", "Print tokens, the likeliest next ones and the measures of every head as JSON."},
         {"out", "The file of the arrays, or a page of HTML with all heads.",
          "OUT." + suffixesOfSeveral().join(u'|') + '|' + ui::suffixWords(ui::FormatKind::WebPage)}});
    addEffectOptions(parser);
    addFormatOption(parser);
    addPageOptions(parser);
    if (!parse(parser, arguments))
        return 0;
    const auto names = parser.positionalArguments();
    if (names.size() != 1)
        throw UsageError("model: has " + std::to_string(names.size()) + " paths, expected one");
    std::optional<OutputFile> out;
    if (parser.isSet("out"))
        out.emplace(parser, suffixesOfSeveral() + ui::suffixesOf(ui::FormatKind::WebPage));
    const bool page = isPage(parser, out ? out->suffix() : QString());
    if (!out && parser.isSet("keep"))
        throw UsageError("--keep: chooses what --out writes, which is missing");
    if (page && parser.isSet("keep"))
        throw UsageError("--keep: chooses arrays, and .html has the weights of all heads");
    if (!parser.isSet("ablate") && !parser.isSet("effects") && parser.isSet("ablate-with"))
        throw UsageError("--ablate-with: says how --ablate and --effects work, which are missing");
    checkEffectOptions(parser);
    std::int64_t count = 0;
    auto written = writingOptions(parser, count);
    for (const auto* name : {"effects", "lens", "words", "align"})
        if (parser.isSet(name) && out && !parser.isSet("json"))
            throw UsageError("--" + std::string(name) +
                             ": is printed, and --out writes arrays alone; --json prints beside --out");
    if (parser.isSet("json") && out && parser.value("out") == QLatin1String("-"))
        throw UsageError("--json: goes to standard output, as --out - does");
    const auto computed_in = arithmetic(parser);
    const auto kinds = keptKinds(parser);
    model::Options options{.ablations = readAblations(parser, replacement(parser))};
    options.logits =
        out && !page && kinds.contains("logits") ? model::Options::Logits::All : model::Options::Logits::Last;
    checkModelInput(parser);

    const auto folder = modelPath(names.first());
    const auto opened = Model::open(folder).in(computed_in);
    if (parser.isSet("similar")) {
        compareTexts(parser, opened, folder);
        return 0;
    }
    auto input = readModelInput(parser, opened, folder);
    if (out)
        checkOutput("out", out->path(), names + modelInputFiles(parser));
    if (written)
        writeOn(*written, count, opened, input, options.ablations);
    const bool needs_answer = parser.isSet("effects") || parser.isSet("lens") || parser.isSet("words");
    if ((needs_answer && model::fills_masks(opened)) || model::classifies_tokens(opened))
        options.logits = model::Options::Logits::All;
    const auto result = opened.run(input.input, options);
    const auto effects = readEffects(parser, opened, result, replacement(parser));
    const auto lens = readLens(parser, opened, result);
    const auto words = readWords(parser, opened, result);
    const auto alignment = readAlignment(parser, result);
    if (page) {
        auto page_options = readPageOptions(parser);
        if (page_options.title.isEmpty())
            page_options.title = parser.value("text");
        ui::writePage(out->path(), ui::modelPage(passesOf(opened, result, input), page_options), page_options);
    } else if (out) {
        const auto arrays = model::arrays_of(result, kinds);
        checkSize(arrays, !parser.isSet("keep"));
        io::write_arrays(ui::toPath(out->path()), arrays, arrayInfo(parser, input, arrays));
    }
    if (parser.isSet("json"))
        printModelJson(opened, input, result,
                       {.written = written ? &*written : nullptr,
                        .effects = effects ? &*effects : nullptr,
                        .lens = lens ? &*lens : nullptr,
                        .words = words ? &*words : nullptr,
                        .alignment = alignment ? &*alignment : nullptr});
    else if (!out)
        printModelSummary(opened, input, result);
    if (written && !parser.isSet("json") && !out)
        printWritten(*written, opened);
    if (effects && !parser.isSet("json"))
        printEffects(*effects, opened, result);
    if (lens && !parser.isSet("json"))
        printLens(*lens, opened, result);
    if (words && !parser.isSet("json"))
        printWords(*words, opened, result);
    if (alignment && !parser.isSet("json"))
        printAlignment(*alignment, input);
    if (out)
        out->finish();
    return 0;
}

} // namespace attnlab::app
