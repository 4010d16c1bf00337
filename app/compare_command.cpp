#include "app/commands.h"
#include "app/json.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "app/streams.h"
#include "core/backend.h"
#include "core/compare.h"
#include "core/io/npz.h"
#include "ui/file_name.h"

#include <optional>

namespace attnlab::app {
namespace {

QJsonObject json(const Gap& gap) {
    return {{"max_absolute", jsonOf(gap.max_absolute)},
            {"mean_absolute", jsonOf(gap.mean_absolute)},
            {"cells", static_cast<qint64>(gap.cells)},
            {"left_out", static_cast<qint64>(gap.left_out)}};
}

QJsonObject json(const RowDivergence& divergence) {
    QJsonArray rows;
    for (const double row : divergence.rows.values())
        rows.append(jsonOf(row));
    return {{"mean", jsonOf(divergence.mean)},
            {"finite_rows", static_cast<qint64>(divergence.finite)},
            {"infinite_rows", static_cast<qint64>(divergence.infinite)},
            {"rows", rows}};
}

void printAsJson(const Comparison& result, const std::optional<OutputGap>& output) {
    QJsonArray heads;
    for (const auto& head : result.heads)
        heads.append(json(head));
    QJsonObject all{{"stage", QString::fromStdString(result.difference.name)},
                    {"shape", jsonOf(result.difference.value.shape())},
                    {"all", json(result.all)},
                    {"heads", heads}};
    if (result.a_from_b) {
        all["kl_a_b"] = json(*result.a_from_b);
        all["kl_b_a"] = json(*result.b_from_a);
    }
    if (output)
        all["output"] =
            QJsonObject{{"relative_error", jsonOf(output->relative)}, {"max_absolute", jsonOf(output->max_absolute)}};
    printJson(all);
}

std::string shortText(double value) { return QString::number(value, 'g', 6).toStdString(); }

void printGap(const std::string& title, const Gap& gap) {
    printOut("%-12s max |A - B| %-12s mean |A - B| %s", title.c_str(), shortText(gap.max_absolute).c_str(),
             shortText(gap.mean_absolute).c_str());
    if (gap.left_out > 0)
        printOut("; %s cells left out: not finite in both", std::to_string(gap.left_out).c_str());
    printOut("\n");
}

void printDivergence(const char* title, const char* reader, const char* other, const RowDivergence& divergence) {
    const auto count = [](std::int64_t rows) { return std::to_string(rows); };
    std::string line;
    const auto add = [&](const std::string& part) { line += (line.empty() ? "" : "; ") + part; };
    if (divergence.finite > 0)
        add("mean " + shortText(divergence.mean) + " nats over " + count(divergence.finite) + " rows");
    if (divergence.infinite > 0)
        add("infinite in " + count(divergence.infinite) + " rows: " + other + " is 0 where " + reader + " is not");
    if (const auto others = divergence.rows.size() - divergence.finite - divergence.infinite; others > 0)
        add(count(others) + " rows are no distribution");
    printOut("%-12s %s\n", title, line.c_str());
}

void printText(const Comparison& result, const std::optional<OutputGap>& output) {
    const auto& stage = result.difference;
    printOut("%s %s\n", stage.name.c_str(), to_string(stage.value.shape()).c_str());
    printGap("all", result.all);
    if (result.heads.size() > 1)
        for (std::size_t head = 0; head < result.heads.size(); ++head)
            printGap("head " + std::to_string(head), result.heads[head]);
    if (result.a_from_b) {
        printDivergence("KL(A || B)", "A", "B", *result.a_from_b);
        printDivergence("KL(B || A)", "B", "A", *result.b_from_a);
    }
    if (output)
        printOut("%-12s relative error %s, max |A - B| %s\n", "output", shortText(output->relative).c_str(),
                 shortText(output->max_absolute).c_str());
}

/// "a.weights", "b.weights", "difference.weights", ... for each stage of one shape in both.
void write(const QString& path, const Trace& a, const Trace& b) {
    io::Archive archive;
    for (const auto& stage : a.stages) {
        archive.tensors.emplace("a." + stage.name, stage.value);
        if (const Stage* other = b.find(stage.name); other && other->value.shape() == stage.value.shape())
            archive.tensors.emplace("difference." + stage.name, compare(a, b, stage.name).difference.value);
    }
    for (const auto& stage : b.stages)
        archive.tensors.emplace("b." + stage.name, stage.value);
    io::write_npz(ui::toPath(path), archive);
}

} // namespace

int compareCommand(const QStringList& arguments, Backends backends) {
    CommandParser parser;
    parser.setApplicationDescription("Compares two settings of the same inputs: A by the options, B by --with.");
    parser.addPositionalArgument("INPUT", "Arrays: .npz, .npy, .safetensors, .pt, .csv, .tsv or a workspace.",
                                 "compare INPUT...");
    addSpecOptions(parser);
    addCompareOption(parser);
    parser.addOptions(
        {{"backend", "How to compute: auto (default) or reference.", "B", "auto"},
         {"stage", "Which stage: scores, scaled, masked, weights (default), output, ...", "NAME", "weights"},
         {"json", "Print JSON, with the divergence of every row; what is not finite is a text: \"inf\", \"nan\"."},
         {"out", "Where the stages of both and their differences go; - is standard output.", "OUT.npz|-"}});
    addFormatOption(parser);
    if (!parse(parser, arguments))
        return 0;
    std::optional<OutputFile> out;
    if (parser.isSet("out"))
        out.emplace(parser, QStringList{"npz"});
    if (parser.value("out") == QLatin1String("-") && parser.isSet("json"))
        throw UsageError("--json: goes to standard output, as --out - does");
    const auto backend = parser.value("backend").toStdString();
    checkBackend(backend, backends);
    for (const Backend* known : backends)
        if (known->id() == backend && !known->gives_every_stage())
            throw UsageError("--backend: has '" + backend +
                             "', which gives output and lse alone; expected auto or "
                             "reference");

    const InputFiles inputs(parser.positionalArguments());
    auto problem = readProblem(parser, inputs.names());
    if (!problem.compared_with)
        throw UsageError("--with: is missing");
    if (out)
        checkOutput("out", out->path(), inputs.names());
    const auto result = compute(problem, backends, backend);
    const auto& other = compared_trace_of(result);
    chosenStage(parser, result.trace);
    chosenStage(parser, other);
    const auto comparison = compare(result.trace, other, parser.value("stage").toStdString());
    if (out) {
        write(out->path(), result.trace, other);
        out->finish();
    }
    printWarnings(result.trace.notes);
    if (parser.value("out") == QLatin1String("-"))
        return 0;
    const auto output = output_gap(result.trace, other);
    parser.isSet("json") ? printAsJson(comparison, output) : printText(comparison, output);
    return 0;
}

} // namespace attnlab::app
