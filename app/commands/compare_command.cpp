// Implements `attnlab compare`: two settings of the same inputs, or a result beside an array of the user.
#include "app/command_table.h"
#include "app/commands/page_output.h"
#include "app/json_output.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "app/streams.h"
#include "app/verify_report.h"
#include "core/backend.h"
#include "core/compare.h"
#include "core/io/npz.h"
#include "ui/document/local_files.h"
#include "ui/export/formats.h"
#include "ui/export/web_page.h"

#include <optional>

namespace attnlab::app {
namespace {

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
        heads.append(jsonOf(head));
    QJsonObject all{{"stage", QString::fromStdString(result.difference.name)},
                    {"shape", jsonOf(result.difference.value.shape())},
                    {"all", jsonOf(result.all)},
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

void printDistance(const std::string& title, const Gap& gap) {
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
        add(count(others) + " rows are not a distribution");
    printOut("%-12s %s\n", title, line.c_str());
}

void printText(const Comparison& result, const std::optional<OutputGap>& output) {
    const auto& stage = result.difference;
    printOut("%s %s\n", stage.name.c_str(), to_string(stage.value.shape()).c_str());
    printDistance("all", result.all);
    if (result.heads.size() > 1)
        for (std::size_t head = 0; head < result.heads.size(); ++head)
            printDistance("head " + std::to_string(head), result.heads[head]);
    if (result.a_from_b) {
        printDivergence("KL(A || B)", "A", "B", *result.a_from_b);
        printDivergence("KL(B || A)", "B", "A", *result.b_from_a);
    }
    if (output)
        printOut("%-12s relative error %s, max |A - B| %s\n", "output", shortText(output->relative).c_str(),
                 shortText(output->max_absolute).c_str());
}

/// "a.weights", "b.weights", "difference.weights", ... for each stage of the same shape in both.
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

/// Requires exactly one of the three things to compare with.
void checkOtherSide(const QCommandLineParser& parser) {
    const bool with_nothing = parser.isSet("with") && parser.value("with").trimmed().isEmpty();
    if (with_nothing && !parser.isSet("b"))
        throw UsageError("--with: is empty, so that B would be A; expected options of a setting B, or --against FILE "
                         "with an array of your own");
    if (parser.isSet("against") && (parser.isSet("with") || parser.isSet("b")))
        throw UsageError("--against: has '" + parser.value("against").toStdString() +
                         "' beside a setting B, expected one of --against, --with and --b");
    checkVerifyOptions(parser);
}

/// A backend that gives only output and lse suffices to compare one of them with an array.
void checkCompareBackend(const QCommandLineParser& parser, Backends backends) {
    const auto backend = parser.value("backend").toStdString();
    checkBackend(backend, backends);
    for (const Backend* known : backends)
        if (known->id() == backend && !known->gives_every_stage() && !parser.isSet("against"))
            throw UsageError("--backend: has '" + backend +
                             "', which gives output and lse alone; expected auto or "
                             "reference");
}

/// A and B: two settings of one problem, or by --b two problems.
struct Sides {
    Trace a, b;
};

Sides computeSides(const QCommandLineParser& parser, AttentionProblem problem, const QStringList& b_files,
                   Backends backends) {
    const auto backend = parser.value("backend").toStdString();
    if (b_files.isEmpty()) {
        if (!problem.compared_with)
            throw UsageError("--with: is missing; expected the options of a setting B, --against FILE with an array of "
                             "your own, or --b FILE with other inputs");
        auto result = compute(problem, backends, backend);
        auto other = compared_trace_of(result);
        return {std::move(result.trace), std::move(other)};
    }
    auto other = readProblem(parser, b_files);
    if (parser.isSet("with"))
        other.spec = *other.compared_with;
    problem.compared_with.reset();
    other.compared_with.reset();
    auto a = compute(problem, backends, backend).trace;
    return {std::move(a), compute(other, backends, backend).trace};
}

} // namespace

int compareCommand(const QStringList& arguments, Backends backends) {
    CommandParser parser;
    parser.setApplicationDescription(
        "Compares two results. Two settings of the same inputs: A by the options, B by --with. Two problems: B by --b. "
        "Your own array with the computed one: --against.");
    parser.addPositionalArgument("INPUT", "Arrays: " + inputSuffixes() + " or a workspace.", "compare INPUT...");
    addSpecOptions(parser);
    addCompareOption(parser);
    addVerifyOptions(parser);
    parser.addOptions(
        {{"b", "Inputs of B, read by the same options; --with replaces some. May be given several times.", "FILE"},
         {"backend", "How to compute: auto (default), reference, or with --against cpu.", "B", "auto"},
         {"stage",
          "Which stage: scores, scaled, masked, weights (default), output, ... With --against: by default what the "
          "name "
          "of the array says, or output.",
          "NAME", "weights"},
         {"json",
          "Print JSON, with the divergence, or with --against the largest error, of every row; what is not finite is a "
          "text: \"inf\", \"nan\"."},
         {"out",
          "The file of the stages of both and their differences, or a page of HTML with --stage of both; - is standard "
          "output.",
          "OUT.npz|" + ui::suffixWords(ui::FormatKind::WebPage) + "|-"}});
    parser.allowSeveral({"b"});
    addFormatOption(parser);
    addPageOptions(parser);
    if (!parse(parser, arguments))
        return 0;
    std::optional<OutputFile> out;
    if (parser.isSet("out"))
        out.emplace(parser, QStringList{"npz"} + ui::suffixesOf(ui::FormatKind::WebPage));
    const bool page = isPage(parser, out ? out->suffix() : QString());
    const bool to_stream = parser.value("out") == QLatin1String("-");
    if (to_stream && parser.isSet("json"))
        throw UsageError("--json: goes to standard output, as --out - does");
    checkOtherSide(parser);
    checkCompareBackend(parser, backends);

    const InputFiles inputs(parser.positionalArguments()), b_inputs(parser.values("b"));
    auto problem = readProblem(parser, inputs.names());
    if (out)
        checkOutput("out", out->path(), inputs.names() + b_inputs.names());
    if (parser.isSet("against")) {
        const int code =
            compareWithArray(parser, std::move(problem), backends, out ? out->path() : QString(), !to_stream);
        if (out)
            out->finish();
        return code;
    }
    const auto sides = computeSides(parser, std::move(problem), b_inputs.names(), backends);
    chosenStage(parser, sides.a);
    chosenStage(parser, sides.b);
    const auto comparison = compare(sides.a, sides.b, parser.value("stage").toStdString());
    if (page) {
        const auto options = readPageOptions(parser);
        ui::writePage(out->path(), ui::comparisonPage(sides.a, sides.b, {comparison.difference.name}, options),
                      options);
    } else if (out) {
        write(out->path(), sides.a, sides.b);
    }
    if (out)
        out->finish();
    printWarnings(sides.a.notes);
    if (to_stream)
        return 0;
    const auto output = output_gap(sides.a, sides.b);
    parser.isSet("json") ? printAsJson(comparison, output) : printText(comparison, output);
    return 0;
}

} // namespace attnlab::app
