#include "app/verify_report.h"

#include "app/json_output.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "core/io/file_formats.h"
#include "core/io/npz.h"
#include "core/lookup.h"
#include "core/recognition/array_names.h"
#include "core/verify/array_comparison.h"
#include "core/verify/mistakes.h"
#include "ui/document/local_files.h"
#include "ui/export/web_page.h"

#include <filesystem>
#include <QFileInfo>

namespace attnlab::app {
namespace {

struct Source {
    std::filesystem::path file;
    std::string array; ///< empty: the one that fits
};

/// FILE or FILE:ARRAY; the name of a file may itself contain a colon.
Source readSource(const QString& text) {
    const auto colon = text.lastIndexOf(QLatin1Char(':'));
    if (colon <= 0 || QFileInfo::exists(text))
        return {ui::toPath(text), {}};
    return {ui::toPath(text.left(colon)), text.mid(colon + 1).toStdString()};
}

/// The stage of --stage, else the one that the name of the array suggests, else the output.
std::string stageName(const QCommandLineParser& parser, const Contents& contents, const std::string& array) {
    if (parser.isSet("stage"))
        return parser.value("stage").toStdString();
    const auto& name = array.empty() && contents.arrays.size() == 1 ? contents.arrays.front().name : array;
    const auto meaning = known_name(name);
    const bool is_result = meaning && (meaning->form == NameForm::Result || meaning->role == "weights");
    return is_result ? meaning->role : "output";
}

const Stage& stageOf(const Trace& trace, const std::string& name) {
    if (const auto* stage = trace.find(name))
        return *stage;
    throw UsageError("--stage: there is no stage '" + name + "', expected one of " +
                     listed(trace.stages, &Stage::name));
}

/// The data for the report on one array.
struct Report {
    const Stage& stage;
    std::string array, file, backend;
    verify::ArrayComparison found;
    verify::Diagnosis diagnosis;
    double tolerance = 0.0;
    std::int64_t beyond = 0;
};

std::string longText(double value) { return QString::number(value, 'g', 12).toStdString(); }

void printGap(const std::string& title, const Gap& gap) {
    printOut("%-14s max |given - exact| %-12s mean %s\n", title.c_str(), shortText(gap.max_absolute).c_str(),
             shortText(gap.mean_absolute).c_str());
}

void printNotFinite(const verify::NonfiniteCells& cells) {
    const auto count = [](std::int64_t number) { return std::to_string(number); };
    if (cells.given_nan + cells.given_infinite + cells.exact_nan + cells.exact_infinite > 0)
        printOut("%-14s given %s NaN and %s infinite, exact %s NaN and %s infinite; alike in %s cells\n", "not finite",
                 count(cells.given_nan).c_str(), count(cells.given_infinite).c_str(), count(cells.exact_nan).c_str(),
                 count(cells.exact_infinite).c_str(), count(cells.alike).c_str());
}

/// The given array as A, the exact one as B, and their difference.
void writeComparedPage(const QString& out, const Trace& exact, const Stage& stage, const Tensor& given,
                       bool every_number) {
    auto own = exact;
    for (auto& other : own.stages)
        if (other.name == stage.name)
            other.value = given;
    ui::WebPageOptions options;
    options.title = QStringLiteral("A: given, B: exact");
    options.every_number = every_number;
    ui::writePage(out, ui::comparisonPage(own, exact, {stage.name}, options), options);
}

void printDiagnosis(const verify::Diagnosis& diagnosis) {
    for (const auto& mistake : diagnosis.likely)
        printOut("%-14s %s: then the relative error is %s instead of %s\n", "likely mistake",
                 mistake.words.english().c_str(), shortText(mistake.distance).c_str(),
                 shortText(diagnosis.exact_distance).c_str());
    for (const auto& cause : diagnosis.nan_causes)
        printOut("%-14s %s\n", "NaN", cause.words.english().c_str());
    if (diagnosis.not_looked)
        printOut("%-14s %s\n", "note", diagnosis.not_looked->english().c_str());
}

void printText(const Report& report) {
    const auto& found = report.found;
    const auto type = std::string(name_of(found.type));
    printOut("%s %s, computed by %s, beside %s of %s, %s%s\n", report.stage.name.c_str(),
             to_string(report.stage.value.shape()).c_str(), report.backend.c_str(), oneLine(report.array).c_str(),
             oneLine(report.file).c_str(), type.c_str(),
             found.held_as == found.type ? "" : (" that holds " + std::string(name_of(found.held_as))).c_str());
    if (found.worst)
        printOut("%-14s %s at %s: given %s, exact %s\n", "largest error",
                 shortText(found.comparison.all.max_absolute).c_str(), to_string(found.worst->index).c_str(),
                 longText(found.worst->given).c_str(), longText(found.worst->exact).c_str());
    printGap("all", found.comparison.all);
    if (found.comparison.heads.size() > 1)
        for (std::size_t head = 0; head < found.comparison.heads.size(); ++head)
            printGap("head " + std::to_string(head), found.comparison.heads[head]);
    printOut("%-14s %s\n", "relative", shortText(found.relative).c_str());
    if (found.ulps)
        printOut("%-14s largest %s, mean %s\n", ("ulps " + std::string(name_of(found.ulps->type))).c_str(),
                 shortText(found.ulps->largest).c_str(), shortText(found.ulps->mean).c_str());
    printNotFinite(found.not_finite);
    printDiagnosis(report.diagnosis);
    printOut("%-14s %s: |given - exact| <= T + T |exact| %s\n", "tolerance", shortText(report.tolerance).c_str(),
             report.beyond == 0 ? "in every cell"
                                : ("fails in " + std::to_string(report.beyond) + " of " +
                                   std::to_string(report.stage.value.size()) + " cells")
                                      .c_str());
    if (report.beyond > 0 && verify::cells_beyond(found, report.stage, verify::default_tolerance(found.held_as)) == 0)
        printOut("%-14s within %s, the tolerance of %s\n", "",
                 shortText(verify::default_tolerance(found.held_as)).c_str(),
                 std::string(name_of(found.held_as)).c_str());
}

void printAsJson(const Report& report) {
    const auto text = [](std::string_view words) { return QString::fromUtf8(words.data(), qsizetype(words.size())); };
    const auto& found = report.found;
    QJsonArray heads, rows, likely, causes;
    for (const auto& cause : report.diagnosis.nan_causes)
        causes.append(QJsonObject{{"id", text(cause.id)}, {"text", text(cause.words.english())}});
    for (const auto& head : found.comparison.heads)
        heads.append(jsonOf(head));
    for (const double row : found.rows.values())
        rows.append(jsonOf(row));
    for (const auto& mistake : report.diagnosis.likely)
        likely.append(QJsonObject{{"id", text(mistake.id)},
                                  {"text", text(mistake.words.english())},
                                  {"relative_error", jsonOf(mistake.distance)}});
    const auto& cells = found.not_finite;
    QJsonObject all{{"stage", text(report.stage.name)},
                    {"shape", jsonOf(report.stage.value.shape())},
                    {"backend", text(report.backend)},
                    {"array", text(report.array)},
                    {"dtype", text(name_of(found.type))},
                    {"holds", text(name_of(found.held_as))},
                    {"all", jsonOf(found.comparison.all)},
                    {"heads", heads},
                    {"rows", rows},
                    {"relative_error", jsonOf(found.relative)},
                    {"not_finite", QJsonObject{{"given_nan", qint64(cells.given_nan)},
                                               {"given_infinite", qint64(cells.given_infinite)},
                                               {"exact_nan", qint64(cells.exact_nan)},
                                               {"exact_infinite", qint64(cells.exact_infinite)},
                                               {"alike", qint64(cells.alike)}}},
                    {"likely_mistakes", likely},
                    {"nan_causes", causes},
                    {"tolerance", jsonOf(report.tolerance)},
                    {"beyond_tolerance", qint64(report.beyond)}};
    if (found.worst)
        all["largest"] = QJsonObject{{"index", jsonOf(found.worst->index)},
                                     {"given", jsonOf(found.worst->given)},
                                     {"exact", jsonOf(found.worst->exact)}};
    if (found.ulps)
        all["ulps"] = QJsonObject{{"dtype", text(name_of(found.ulps->type))},
                                  {"largest", jsonOf(found.ulps->largest)},
                                  {"mean", jsonOf(found.ulps->mean)}};
    if (report.diagnosis.not_looked)
        all["note"] = text(report.diagnosis.not_looked->english());
    printJson(all);
}

double toleranceOf(const QCommandLineParser& parser, DType type, const Trace& trace) {
    if (parser.isSet("tolerance"))
        return readTolerance(parser.value("tolerance"));
    return verify::default_tolerance(type, trace);
}

void writeStages(const QString& path, const Report& report) {
    const auto& name = report.stage.name;
    io::Archive archive;
    archive.tensors = {{"exact." + name, report.stage.value},
                       {"given." + name, report.found.given},
                       {"difference." + name, report.found.comparison.difference.value},
                       {"rows." + name, report.found.rows}};
    io::write_npz(ui::toPath(path), archive);
}

} // namespace

double readTolerance(const QString& text) {
    bool ok = false;
    const double tolerance = text.toDouble(&ok);
    if (!ok || !(tolerance >= 0.0) || !std::isfinite(tolerance))
        throw UsageError("--tolerance: has '" + text.toStdString() + "', expected a number from 0");
    return tolerance;
}

void addVerifyOptions(CommandParser& parser) {
    parser.addOptions(
        {{"against",
          "Compare with an array of your own code: its file, and its name where the file holds several. Exit code 3 "
          "when it is beyond the tolerance.",
          "FILE[:ARRAY]"},
         {"against-layout",
          "The axes of that array in their order, as letters: B, H, L (queries), S (keys), E (features). BLHE, for "
          "example. BLE, LBE or LE if heads lie beside each other, H*E wide. Default: the order of the stage, or BLE "
          "if only that fits. Axes of size 1 may be missing.",
          "AXES"},
         {"tolerance",
          "T in |given - exact| <= T + T |exact|. Default by the array's type: float64 1e-9, float32 1e-5, float16 "
          "2e-3, bfloat16 1.6e-2; 1e-5 at least where the exact result is computed in float32.",
          "T"}});
}

void checkVerifyOptions(const QCommandLineParser& parser) {
    if (parser.isSet("tolerance"))
        readTolerance(parser.value("tolerance"));
    for (const auto* option : {"tolerance", "against-layout"})
        if (parser.isSet(option) && !parser.isSet("against"))
            throw UsageError("--" + std::string(option) + ": is for --against, which is missing");
}

int compareWithArray(const QCommandLineParser& parser, AttentionProblem problem, Backends backends, const QString& out,
                     bool prints) {
    problem.compared_with.reset();
    const auto source = readSource(parser.value("against"));
    if (!out.isEmpty())
        checkOutput("out", out, {ui::fromPath(source.file)});
    const auto contents = io::read_contents(std::span(&source.file, 1));
    const auto stage_name = stageName(parser, contents, source.array);
    const auto result = compute(problem, backends, parser.value("backend").toStdString());
    const Stage& stage = stageOf(result.trace, stage_name);
    const auto& array = verify::array_for(contents, stage, source.array);
    if (const auto merged =
            verify::merged_layout(array.tensor.shape(), stage, parser.value("against-layout").toStdString());
        !merged.empty())
        printError("attnlab: note: " + array.name + " " + to_string(array.tensor.shape()) + " is read as " + merged +
                   ": its last axis has the " + std::to_string(stage.value.dim(1)) + " heads beside each other");
    const auto given = verify::fitted(array.tensor, stage, array.name, parser.value("against-layout").toStdString());
    Report report{stage, array.name, array.file, result.backend, verify::compare_array(stage, given), {}};
    report.diagnosis = verify::diagnose(problem, result.trace, stage_name, given);
    verify::blame_layout(report.diagnosis, result.trace, stage, array.tensor,
                         parser.value("against-layout").toStdString());
    report.tolerance = toleranceOf(parser, given.dtype(), result.trace);
    report.beyond = verify::cells_beyond(report.found, stage, report.tolerance);
    if (QFileInfo(out).suffix() == QLatin1String("html"))
        writeComparedPage(out, result.trace, stage, given, parser.isSet("every-number"));
    else if (!out.isEmpty())
        writeStages(out, report);
    printWarnings(result.trace.notes);
    if (prints)
        parser.isSet("json") ? printAsJson(report) : printText(report);
    return report.beyond == 0 ? 0 : 3;
}

} // namespace attnlab::app
