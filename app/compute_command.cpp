// Implements `attnlab compute`: computes a problem and writes its stages.
#include "app/backends.h"
#include "app/command_table.h"
#include "app/json_output.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "app/streams.h"
#include "core/flash/cpu_backend.h"
#include "core/io/file_formats.h"
#include "ui/document/local_files.h"
#include "ui/export/export.h"
#include "ui/export/formats.h"

#include <optional>

namespace attnlab::app {
namespace {

using ui::formats, ui::FormatKind, ui::findFormat, ui::suffixesOf, ui::suffixWords;
using Holds = io::TensorFormat::Holds;

/// The stages to write: one, or all.
std::vector<const Stage*> chosenStages(const QCommandLineParser& parser, const Trace& trace) {
    if (parser.isSet("stage"))
        return {&chosenStage(parser, trace)};
    std::vector<const Stage*> stages;
    for (const auto& stage : trace.stages)
        stages.push_back(&stage);
    return stages;
}

void printAsJson(const std::vector<const Stage*>& stages) {
    std::int64_t numbers = 0;
    for (const Stage* stage : stages)
        numbers += stage->value.size();
    checkJsonSize(numbers, "--out FILE.npz takes them, and --stage chooses one");
    QJsonObject all;
    for (const Stage* stage : stages)
        all.insert(QString::fromStdString(stage->name),
                   QJsonObject{{"shape", jsonOf(stage->value.shape())}, {"values", jsonOf(stage->value)}});
    printJson({{"stages", all}});
}

/// ".npz and .safetensors"
QString typesOfSeveral() {
    QStringList types;
    for (const auto& format : formats())
        if (format.tensors && format.tensors->holds == Holds::Tensors)
            types << QLatin1Char('.') + format.suffix;
    return types.join(QStringLiteral(" and "));
}

/// A text table holds one matrix in one file.
void writeTable(const QString& path, const Trace& trace, const Stage& stage) {
    const std::vector<std::string> names{stage.name};
    if (const auto files = ui::stageFiles(path, trace, names); files.size() != 1)
        throw Error({ATTNLAB_TEXT("stage %1 has the shape %2: a table is one matrix; .npy and .npz take it whole"),
                     {stage.name, to_string(stage.value.shape())}});
    ui::exportStages(path, trace, names);
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
         {"json", "Print the numbers as JSON, nested as in the arrays; what is not finite is a text: \"inf\", "
                  "\"-inf\", \"nan\"."},
         {"out", "Where the stages go; - is standard output.", "OUT." + suffixWords(FormatKind::Numbers) + "|-"}});
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
    const auto choice = readBackend(parser);

    const InputFiles inputs(parser.positionalArguments());
    auto problem = readProblem(parser, inputs.names());
    problem.compared_with.reset();
    if (out)
        checkOutput("out", out->path(), inputs.names());
    if (choice.id == cpu_backend().id())
        checkTiles(parser, problem);
    const auto result = compute(problem, choice.backends, choice.id);
    const auto stages = chosenStages(parser, result.trace);
    if (out && holds == Holds::Matrix) {
        writeTable(out->path(), result.trace, *stages.front());
    } else if (out) {
        TensorMap tensors;
        for (const Stage* stage : stages)
            tensors.emplace(stage->name, stage->value);
        io::write_tensors(ui::toPath(out->path()), tensors);
    }
    if (json)
        printAsJson(stages);
    if (out)
        out->finish();
    printWarnings(result.trace.notes);
    return 0;
}

} // namespace attnlab::app
