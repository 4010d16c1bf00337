// Implements `attnlab compute`: computes a problem and writes its stages.
#include "app/backends.h"
#include "app/command_table.h"
#include "app/figure_choices.h"
#include "app/json_output.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "app/streams.h"
#include "core/flash/cpu_backend.h"
#include "core/io/file_formats.h"
#include "core/io/saved/result_file.h"
#include "core/io/saved/workspace_file.h"
#include "ui/document/local_files.h"
#include "ui/export/formats.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <QJsonArray>
#include <QJsonDocument>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::app {
namespace {

using ui::formats, ui::FormatKind, ui::findFormat, ui::suffixesOf, ui::suffixWords;
using Holds = io::TensorFormat::Holds;

/// The stages that --statistics adds.
constexpr std::string_view statistics[] = {"row_sum",        "support",    "entropy",
                                           "effective_keys", "max_weight", "jacobian_norm"};

/// The stages to write: one, or all.
std::vector<const Stage*> chosenStages(const QCommandLineParser& parser, const Trace& trace) {
    if (parser.isSet("stage")) {
        const auto& stage = chosenStage(parser, trace);
        if (parser.isSet("statistics") && std::ranges::find(statistics, stage.name) == std::end(statistics))
            throw UsageError("--statistics: adds stages, and --stage " + stage.name + " writes that one alone");
        return {&stage};
    }
    std::vector<const Stage*> stages;
    for (const auto& stage : trace.stages)
        stages.push_back(&stage);
    return stages;
}

/// What explains the numbers.
io::ResultInfo infoOf(const AttentionProblem& problem, const Trace& trace) {
    auto described = problem;
    described.tensors.clear();
    described.query_tokens = described.key_tokens = {};
    return {std::string("AttnLab ") + ATTNLAB_VERSION, io::spec_to_json(described), trace.query_tokens,
            trace.key_tokens};
}

void printAsJson(const std::vector<const Stage*>& stages, const io::ResultInfo& info) {
    std::int64_t numbers = 0;
    for (const Stage* stage : stages)
        numbers += stage->value.size();
    checkJsonSize(numbers, "--out FILE.npz takes them, and --stage chooses one");
    QJsonObject all;
    for (const Stage* stage : stages) {
        QJsonArray axes;
        for (const Axis axis : stage->axes)
            axes.append(QString::fromStdString(std::string(io::axis_name(axis))));
        all.insert(
            QString::fromStdString(stage->name),
            QJsonObject{{"shape", jsonOf(stage->value.shape())}, {"axes", axes}, {"values", jsonOf(stage->value)}});
    }
    QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(io::about_text({}, info))).object();
    json.remove("axes");
    json.insert("stages", all);
    printJson(json);
}

/// ".npz and .safetensors"
QString typesOfSeveral() {
    QStringList types;
    for (const auto& format : formats())
        if (format.tensors && format.tensors->holds == Holds::Tensors)
            types << QLatin1Char('.') + format.suffix;
    return types.join(QStringLiteral(" and "));
}

/// A stage with one entry of an axis; axes that it lacks leave it whole.
Stage atIndex(const Stage& stage, Axis axis, std::int64_t index) {
    const auto found = std::ranges::find(stage.axes, axis);
    if (found == stage.axes.end())
        return stage;
    const auto place = static_cast<int>(found - stage.axes.begin());
    const auto& shape = stage.value.shape();
    const auto at = static_cast<std::size_t>(place);
    std::int64_t before = 1, after = 1;
    for (std::size_t i = 0; i < shape.size(); ++i)
        (i < at ? before : i > at ? after : index) *= i == at ? 1 : shape[i];
    Shape rest = shape;
    rest.erase(rest.begin() + place);
    Stage part = stage;
    part.axes.erase(part.axes.begin() + place);
    part.value = Tensor(rest, 0.0, stage.value.dtype());
    const auto numbers = part.value.mutable_values();
    for (std::int64_t i = 0; i < before; ++i)
        std::copy_n(stage.value.data() + (i * shape[at] + index) * after, after, numbers.begin() + i * after);
    return part;
}

/// The stages with the batch entry and head that the options choose. A head is one of queries: where keys and values
/// have fewer, theirs that it reads. `owned` holds those that are made.
std::vector<const Stage*> chosenParts(const QCommandLineParser& parser, const Trace& trace,
                                      std::vector<const Stage*> stages, std::vector<Stage>& owned) {
    for (const auto& [option, axis] : {std::pair("batch", Axis::Batch), {"head", Axis::Head}}) {
        if (!parser.isSet(option))
            continue;
        const auto has_axis = [axis = axis](const Stage* stage) {
            return std::ranges::find(stage->axes, axis) != stage->axes.end();
        };
        std::int64_t most = 0;
        for (const auto& stage : trace.stages)
            if (const auto found = std::ranges::find(stage.axes, axis); found != stage.axes.end())
                most = std::max(most, stage.value.dim(static_cast<int>(found - stage.axes.begin())));
        if (most == 0 || std::ranges::none_of(stages, has_axis))
            throw UsageError("--" + std::string(option) + ": the stages have no such axis");
        const int index = readNumber(parser, option, 0, static_cast<int>(most) - 1);
        std::vector<Stage> next;
        for (const Stage* stage : stages) {
            const auto found = std::ranges::find(stage->axes, axis);
            const auto size =
                found == stage->axes.end() ? most : stage->value.dim(static_cast<int>(found - stage->axes.begin()));
            next.push_back(atIndex(*stage, axis, index * size / most));
        }
        owned = std::move(next);
        stages.clear();
        for (const auto& stage : owned)
            stages.push_back(&stage);
    }
    return stages;
}

io::TableOptions readTable(const QCommandLineParser& parser, const QString& suffix) {
    return {suffix == QLatin1String("tsv") ? '\t' : ',', parser.isSet("labels"), parser.isSet("bom"),
            parser.isSet("escape-formulas")};
}

/// A text table holds one matrix in one file.
void writeTable(const QString& path, const Stage& stage, const io::ResultInfo& info, const io::TableOptions& options) {
    const auto matrices = stage.value.size() > 0 ? matrix_count(stage.value) : 0;
    if (matrices != 1)
        throw Error(
            {ATTNLAB_TEXT("stage %1 has the shape %2: a table is one matrix; --batch and --head choose one, and "
                          ".npy and .npz take it whole"),
             {stage.name, to_string(stage.value.shape())}});
    const auto is_column = !stage.axes.empty() && stage.axes.back() == Axis::Query && stage.axes.size() > 0 &&
                           (stage.axes.size() < 2 || stage.axes[stage.axes.size() - 2] != Axis::Query);
    const auto columns = stage.value.rank() > 0 && !is_column ? stage.value.dim(-1) : 1;
    const auto matrix = stage.value.reshaped({stage.value.size() / columns, columns});
    const auto tokens = [&](Axis axis, std::int64_t count) {
        const auto& own = axis == Axis::Key && !info.key_tokens.empty() ? info.key_tokens : info.query_tokens;
        const bool fits = (axis == Axis::Query || axis == Axis::Key) && std::ssize(own) == count;
        return fits ? own : std::vector<std::string>();
    };
    const auto rows =
        static_cast<std::size_t>(stage.axes.size()) >= 2 ? stage.axes[stage.axes.size() - 2] : Axis::Feature;
    io::write_matrix_table(
        ui::toPath(path), matrix, tokens(is_column ? Axis::Query : rows, matrix.dim(0)),
        is_column || stage.axes.empty() ? std::vector<std::string>() : tokens(stage.axes.back(), columns), options);
}

} // namespace

int computeCommand(const QStringList& arguments) {
    CommandParser parser;
    parser.setApplicationDescription("Computes a mechanism and writes every stage as an array, or one of them.");
    parser.addPositionalArgument("INPUT", "Arrays: " + inputSuffixes() + " or a workspace; - is standard input.",
                                 "compute INPUT...");
    addSpecOptions(parser);
    addBackendOptions(parser, "auto");
    parser.addOptions(
        {{"stage", "One stage instead of all; .npy, .csv and .tsv hold one.", "NAME"},
         {"view",
          "Adds the stage `view`, the weights in another form: value_norm (times the length of each value), "
          "output_norm "
          "(after the output projection w_o), no_sink:0 (without these keys, the rest divided by its sum), words (by "
          "the "
          "array word_ids); none removes that of a workspace.",
          "ID[:KEYS]"},
         {"batch", "One batch entry, from 0; default: all.", "B"},
         {"head", "One head, from 0; default: all.", "H"},
         {"long", "Of .csv and .tsv: a line for each number, with its indices and tokens. Takes any number of axes."},
         {"labels", "Of .csv and .tsv: tokens as the first row and column."},
         {"bom", "Of .csv and .tsv: a byte order mark, which Excel needs for UTF-8."},
         {"escape-formulas", "Of .csv and .tsv: an apostrophe before texts that a spreadsheet would compute."},
         {"json", "Print the numbers as JSON, nested as in the arrays, with axes, tokens and settings; what is not "
                  "finite is a text: \"inf\", "
                  "\"-inf\", \"nan\"."},
         {"out", "The file of the stages; - is standard output.", "OUT." + suffixWords(FormatKind::Numbers) + "|-"}});
    addFormatOption(parser);
    if (!parse(parser, arguments))
        return 0;
    const bool json = parser.isSet("json");
    std::optional<OutputFile> out;
    if (parser.isSet("out") || !json)
        out.emplace(parser, suffixesOf(FormatKind::Numbers));
    if (json && parser.value("out") == QLatin1String("-"))
        throw UsageError("--json: goes to standard output, as --out - does");
    const auto holds = out ? findFormat(FormatKind::Numbers, out->suffix())->tensors->holds : Holds::Tensors;
    if (holds != Holds::Tensors && !parser.isSet("stage"))
        throw UsageError("--stage: is missing; ." + out->suffix().toStdString() + " holds one stage, " +
                         typesOfSeveral().toStdString() + " all of them");
    for (const char* option : {"long", "labels", "bom", "escape-formulas"})
        if (parser.isSet(option) && holds != Holds::Matrix)
            throw UsageError("--" + std::string(option) + ": is for a table, expected --out FILE.csv or FILE.tsv");
    if (parser.isSet("long") && parser.isSet("labels"))
        throw UsageError("--labels: does not go with --long, whose lines have their tokens");
    const auto choice = readBackend(parser);
    readWeightsView(parser, false);

    const InputFiles inputs(parser.positionalArguments());
    auto problem = readProblem(parser, inputs.names());
    problem.compared_with.reset();
    if (out)
        checkOutput("out", out->path(), inputs.names());
    if (choice.id == cpu_backend().id())
        checkTiles(parser, problem);
    const auto result = compute(problem, choice.backends, choice.id);
    std::vector<Stage> owned;
    const auto stages = chosenParts(parser, result.trace, chosenStages(parser, result.trace), owned);
    const auto info = infoOf(problem, result.trace);
    if (out && parser.isSet("long"))
        io::write_long_table(ui::toPath(out->path()), stages, info, readTable(parser, out->suffix()));
    else if (out && holds == Holds::Matrix)
        writeTable(out->path(), *stages.front(), info, readTable(parser, out->suffix()));
    else if (out)
        io::write_result(ui::toPath(out->path()), stages, info);
    if (json)
        printAsJson(stages, info);
    if (out)
        out->finish();
    printWarnings(result.trace.notes);
    return 0;
}

} // namespace attnlab::app
