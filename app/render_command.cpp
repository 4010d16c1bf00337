// Implements `attnlab render`: draws stages to files, and with --steps one query's row step by step.
#include "app/command_parser.h"
#include "app/command_table.h"
#include "app/figure_choices.h"
#include "app/model_options.h"
#include "app/output.h"
#include "app/page_output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "app/streams.h"
#include "core/backend.h"
#include "core/io/workspace_file.h"
#include "ui/document/local_files.h"
#include "ui/document/view_state.h"
#include "ui/drawing/figure.h"
#include "ui/export/animation.h"
#include "ui/export/export.h"
#include "ui/export/formats.h"
#include "ui/export/web_page.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/pages/step/step_drawing.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <optional>
#include <QFileInfo>
#include <QJsonDocument>

namespace attnlab::app {

/// --steps, --query, --key, --step, --terms, --seconds and --once.
void addStepOptions(CommandParser& parser);
/// Throws UsageError for options that are wrong for any data. `suffix`: file name extension of the output.
void checkStepOptions(const QCommandLineParser& parser, const QString& suffix);
/// Writes `out`. Needs a QGuiApplication. Throws UsageError and attnlab::Error.
void renderSteps(const QCommandLineParser& parser, const AttentionProblem& problem, const Computed& result, int batch,
                 ui::FigureOptions options, const QString& out);

using namespace attnlab::ui;

namespace {

constexpr QSizeF usual_points(720, 405);

bool isAnimation(const QString& suffix) { return findFormat(FormatKind::Animation, suffix) != nullptr; }

/// The pass of the requested stage, or the first one that has steps.
StepPass passOf(const QCommandLineParser& parser, const Trace& trace, int batch) {
    const Stage* stage = parser.isSet("stage") ? &chosenStage(parser, trace) : nullptr;
    StepPass pass;
    if (const Stage* weights = weightsBeside(trace, stage))
        pass.prefix = prefix_of(weights->name);
    pass.batch = batch;
    const int heads = sizeOf(trace).heads;
    pass.head = readNumber(parser, "head", 0, heads - 1);
    if (!canWalk(trace, pass))
        throw Error(ATTNLAB_TEXT("steps: this mechanism does not go from scores to weights to the output in one pass"));
    return pass;
}

double readSeconds(const QCommandLineParser& parser) {
    bool ok = false;
    const double seconds = parser.value("seconds").toDouble(&ok);
    if (!ok || !(seconds >= 0.05 && seconds <= 60.0))
        throw UsageError("--seconds: has '" + parser.value("seconds").toStdString() + "', expected 0.05 to 60");
    return seconds;
}

} // namespace

void addStepOptions(CommandParser& parser) {
    parser.addOptions({{"steps", "One query's row step by step instead of a stage."},
                       {"query", "Of --steps: which row.", "I", "0"},
                       {"key", "Of --steps: the key whose arithmetic is written out.", "J", "0"},
                       {"step", "Of --steps: the one that a picture shows.", "NAME"},
                       {"terms", "Of --steps: products one by one, sums and values key by key."},
                       {"seconds", "Of --steps: how long each is seen.", "T", "1.5"},
                       {"once", "Of --steps: stop at the end."}});
}

void checkStepOptions(const QCommandLineParser& parser, const QString& suffix) {
    if (!parser.isSet("steps")) {
        for (const char* option : {"query", "key", "step", "terms", "seconds", "once"})
            if (parser.isSet(option))
                throw UsageError("--" + std::string(option) + ": is for --steps, which is not given");
        return;
    }
    for (const auto& option : QStringList{"with", "row"} + heatmapOptions())
        if (parser.isSet(option))
            throw UsageError("--" + option.toStdString() + ": does not go with --steps");
    readSeconds(parser);
    const std::string known = stepIds().join(QStringLiteral(", ")).toStdString();
    if (parser.isSet("step") && !stepIds().contains(parser.value("step")))
        throw UsageError("--step: has '" + parser.value("step").toStdString() + "', expected one of " + known);
    if (isAnimation(suffix) && parser.isSet("step"))
        throw UsageError("--step: an animation shows every step, expected a picture (" +
                         ui::suffixWords(ui::FormatKind::Picture).toStdString() + ")");
    if (!isAnimation(suffix) && !parser.isSet("step"))
        throw UsageError("--step: is missing, expected one of " + known + ", or --out FILE." +
                         ui::suffixWords(ui::FormatKind::Animation).toStdString() + " for all");
}

void renderSteps(const QCommandLineParser& parser, const AttentionProblem& problem, const Computed& result, int batch,
                 FigureOptions options, const QString& out) {
    // A non-owning pointer: the result outlives the drawing.
    const TracePtr trace(std::shared_ptr<const Trace>(), &result.trace);
    const StepPass pass = passOf(parser, *trace, batch);
    const auto sizes = trace->find(pass.prefix + "weights")->value.shape();
    StepDrawing drawing;
    drawing.walk = RowWalk(trace, pass, readNumber(parser, "query", 0, static_cast<int>(sizes[2]) - 1));
    drawing.key = readNumber(parser, "key", 0, static_cast<int>(sizes[3]) - 1);
    drawing.by_terms = parser.isSet("terms");
    const auto steps = drawing.walk.steps(drawing.by_terms);
    if (!parser.isSet("size"))
        options.size_points = usual_points;
    if (!isAnimation(QFileInfo(out).suffix().toLower())) {
        drawing.step = steps[static_cast<std::size_t>(stepAt(steps, parser.value("step")))];
        ViewState view;
        view.setPage(QStringLiteral("steps"));
        view.setStage(QString::fromStdString(pass.prefix + "weights"));
        view.setBatch(batch);
        view.setHead(pass.head);
        view.setPinned(
            Cell{readNumber(parser, "query", 0, static_cast<int>(sizes[2]) - 1), static_cast<int>(drawing.key)});
        const auto origin = originOf(problem, view);
        writeFigure(out, Figure(std::make_shared<const StepDrawing>(drawing)), options, &origin);
        return;
    }
    AnimationOptions animation;
    animation.figure = options;
    animation.seconds = readSeconds(parser);
    animation.loop = !parser.isSet("once");
    writeAnimation(out, sequenceOf(drawing, steps), animation);
}

namespace {

using namespace attnlab::ui;

/// The window's view saved in a workspace; options override it.
struct Shown {
    QString page, stage;
    int batch = 0, head = 0;
    ColorChoice colors;
    HeldColors held;
    QString figure;
};

/// The view of the last workspace among the files.
std::optional<Shown> shownBy(const QStringList& files) {
    std::optional<Shown> shown;
    for (const auto& file : files)
        if (const auto json = io::read_view(toPath(file))) {
            ViewState view;
            viewFromJson(*json, view);
            shown =
                Shown{view.page(), view.stage(), view.batch(), view.head(), view.colors(), view.held(), view.figure()};
        }
    return shown;
}

/// A colour range is for the stage that it was chosen for, and comparing windows show both settings.
FigureOptions figureLike(const QCommandLineParser& parser, const std::optional<Shown>& shown) {
    FigureOptions usual;
    if (shown) {
        setColors(usual, shown->colors);
        const bool same_stage = !parser.isSet("stage") || parser.value("stage") == shown->stage;
        figureFromJson(QJsonDocument::fromJson(shown->figure.toUtf8()).object(), usual, same_stage);
        if (parser.isSet("stage") && parser.value("stage") != shown->stage)
            usual.low = usual.high = std::nullopt;
    }
    return readFigureOptions(parser, usual);
}

/// The requested stage, or the one in the saved view.
const Stage& findStage(const QCommandLineParser& parser, const Trace& trace, const std::optional<Shown>& shown) {
    if (!parser.isSet("stage"))
        if (const Stage* stage = stageToShow(trace, shown->stage.toStdString()))
            return *stage;
    return chosenStage(parser, trace);
}

/// The heads to draw: one, their mean, or all.
std::vector<int> readHeads(const QCommandLineParser& parser, int count, const std::optional<Shown>& shown) {
    if (shown && !parser.isSet("head"))
        return {std::min(shown->head, count - 1)};
    const auto text = parser.value("head");
    if (text == QLatin1String("mean"))
        return {ViewState::mean_of_heads};
    std::vector<int> heads;
    for (int head = 0; head < count; ++head)
        if (text == QLatin1String("all") || text == QString::number(head))
            heads.push_back(head);
    if (heads.empty())
        throw UsageError("--head: has '" + text.toStdString() + "', expected mean, all or 0 to " +
                         std::to_string(count - 1));
    return heads;
}

/// One row of a query x key matrix, arranged as the image that the keys came from.
MatrixData onKeyGrid(const MatrixData& slice, int row, KeyGrid grid) {
    const auto view = slice.view();
    if (row >= view.rows)
        throw UsageError("--row: has " + std::to_string(row) + ", expected 0 to " + std::to_string(view.rows - 1));
    if (grid.rows * grid.columns != view.columns)
        throw UsageError("--key-grid: has " + std::to_string(grid.rows) + " x " + std::to_string(grid.columns) +
                         " cells, expected " + std::to_string(view.columns) + ", one for each key");
    const auto cells = view.row(row);
    MatrixData picture;
    picture.values = Tensor({grid.rows, grid.columns}, {cells.begin(), cells.end()});
    if (slice.blocked.size() > 0) {
        picture.blocked = Tensor({grid.rows, grid.columns}, 0.0, DType::Bool);
        for (std::int64_t key = 0; key < view.columns; ++key)
            picture.blocked.set({key / grid.columns, key % grid.columns}, slice.isBlocked(row, key) ? 1.0 : 0.0);
    }
    return picture;
}

/// A panel for each chosen head: the stage, or one of its rows as an image.
FigurePanels panelsOf(const QCommandLineParser& parser, const AttentionProblem& problem, const Trace& trace,
                      const Stage& stage, int batch, const std::optional<Shown>& shown) {
    const bool one_row = parser.isSet("row");
    const int row = one_row ? readNumber(parser, "row", 0, std::numeric_limits<int>::max()) : 0;
    if (one_row && !problem.key_grid)
        throw UsageError("--row: expected --key-grid ROWSxCOLUMNS with it");
    FigurePanels panels;
    for (const int head : readHeads(parser, sizeOf(trace).heads, shown))
        if (const auto slice = sliceOf(trace, stage, batch, head))
            panels.push_back({one_row ? onKeyGrid(*slice, row, *problem.key_grid) : *slice,
                              head == ViewState::mean_of_heads ? QString() : headTitle(head)});
    return panels;
}

/// A, B and A - B of a stage, for one head.
Figure comparisonOf(const QCommandLineParser& parser, const Computed& result, const Stage& stage, int batch,
                    const ColorChoice& colors, const std::optional<Shown>& shown) {
    if (parser.isSet("row"))
        throw UsageError("--row: is for one setting, expected no --with beside it");
    const auto heads = readHeads(parser, sizeOf(result.trace).heads, shown);
    if (heads.size() > 1)
        throw UsageError("--head: all heads of two settings are too many for one picture, expected one or mean");
    const auto& other = compared_trace_of(result);
    const auto comparison = compare(result.trace, other, stage.name);
    const bool same_settings = shown && !parser.isSet("with");
    const auto matrices = comparedMatrices(result.trace, other, comparison, batch, heads.front(), colors,
                                           same_settings ? &shown->held : nullptr);
    if (!matrices)
        return {FigurePanels(), ColorScale()};
    return {matrices->panels(QStringLiteral("A"), QStringLiteral("B")), matrices->values};
}

} // namespace

int renderCommand(const QStringList& arguments, Backends backends) {
    CommandParser parser;
    parser.setApplicationDescription("Draws one stage of a mechanism as a heatmap, or of two settings side by side, or "
                                     "one row step by step.\nOf a saved workspace it draws what the window showed: "
                                     "stage, batch, head, colours and their range, and both settings where it "
                                     "compared them. The same of a figure that AttnLab has written. Options replace "
                                     "these.");
    parser.addPositionalArgument("INPUT", "Arrays: " + inputSuffixes() + ", a workspace or a figure.",
                                 "render INPUT...");
    addSpecOptions(parser);
    addCompareOption(parser);
    parser.addOptions(
        {{"backend", "How to compute: auto (default), reference or cpu.", "B", "auto"},
         {"stage", "Which stage: scores, scaled, masked, weights, output, ...", "NAME"},
         {"batch", "Which batch entry, from 0.", "B", "0"},
         {"head", "Which head, from 0; mean for their mean, all for every head on shared axes.", "H|mean|all", "0"},
         {"row", "One query's row alone, as a picture of the key grid.", "I"},
         {"out",
          "The picture; of all --steps an animation; or a page of HTML with all heads, of which --head is shown first, "
          "and all passes of a capture. - is standard output.",
          "FILE." + suffixWords(FormatKind::Picture) + '|' + suffixWords(FormatKind::Animation) + '|' +
              suffixWords(FormatKind::WebPage) + "|-"}});
    addFormatOption(parser);
    addStepOptions(parser);
    addFigureOptions(parser);
    addPageOptions(parser);
    addModelOptions(parser);
    if (!parse(parser, arguments))
        return 0;
    const bool steps = parser.isSet("steps");
    OutputFile out(parser,
                   suffixesOf(FormatKind::Picture) + suffixesOf(steps ? FormatKind::Animation : FormatKind::WebPage));
    const bool page = isPage(parser, out.suffix());
    checkStepOptions(parser, out.suffix());
    const auto backend = parser.value("backend").toStdString();
    checkBackend(backend, backends);
    int batch = readNumber(parser, "batch", 0, std::numeric_limits<int>::max());
    readFigureOptions(parser); // reports wrong options before anything is read
    const InputFiles inputs(parser.positionalArguments());
    const auto& files = inputs.names();
    const auto shown = steps ? std::nullopt : shownBy(files);
    if (page && !shown)
        if (const auto capture = capturePage(parser, files)) {
            checkOutput("out", out.path(), files);
            writePage(out.path(), *capture, readPageOptions(parser));
            out.finish();
            return 0;
        }
    if (!steps && !shown)
        required(parser, "stage");
    auto options = figureLike(parser, shown);
    if (shown && !parser.isSet("batch"))
        batch = shown->batch;

    const OffscreenApplication application(arguments.first());
    checkFont(options);
    auto problem = readProblem(parser, files);
    const bool compares = parser.isSet("with") || (shown && shown->page == QLatin1String("compare") &&
                                                   problem.compared_with && !parser.isSet("row"));
    if (!compares)
        problem.compared_with.reset();
    if (compares && !parser.isSet("size") && !(shown && !shown->figure.isEmpty()))
        options.size_points = QSizeF(900, 320); // for three pictures side by side
    checkOutput("out", out.path(), files);
    const auto result = compute(problem, backends, backend);
    const auto size = sizeOf(result.trace);
    if (shown && !parser.isSet("batch"))
        batch = std::min(batch, size.batches - 1);
    if (batch >= size.batches)
        throw UsageError("--batch: has " + std::to_string(batch) + ", expected 0 to " +
                         std::to_string(size.batches - 1));
    if (steps) {
        renderSteps(parser, problem, result, batch, options, out.path());
        out.finish();
        printWarnings(result.trace.notes);
        return 0;
    }
    const auto& stage = findStage(parser, result.trace, shown);
    if (shown && !QStringList{"matrix", "compare"}.contains(shown->page))
        printError("attnlab: note: the window showed the page '" + shown->page.toStdString() + "'; this is its stage " +
                   stage.name);
    if (page) {
        const WebPageStage first{stage.name, batch, readHeads(parser, size.heads, shown).front()};
        auto page_options = readPageOptions(parser);
        page_options.colormap = options.colormap;
        page_options.logarithmic = options.logarithmic;
        writePage(out.path(),
                  compares ? comparisonPage(result.trace, compared_trace_of(result), first, page_options)
                           : stagePage(result.trace, first, page_options),
                  page_options);
        out.finish();
        printWarnings(result.trace.notes);
        return 0;
    }
    const auto colors = colorsOf(options);
    ViewState view;
    view.setPage(compares ? QStringLiteral("compare") : QStringLiteral("matrix"));
    view.setStage(QString::fromStdString(stage.name));
    view.setBatch(batch);
    view.setHead(readHeads(parser, size.heads, shown).front());
    view.setColors(colors);
    if (shown)
        view.setHeld(shown->held);
    Figure figure = compares ? comparisonOf(parser, result, stage, batch, colors, shown)
                             : Figure(panelsOf(parser, problem, result.trace, stage, batch, shown),
                                      shownScale(result.trace, stage, batch, view));
    figure.quantity = stageWordsInPass(stage.name);
    if (figure.panels.empty())
        throw Error({ATTNLAB_TEXT("stage: '%1' has nothing to draw"), {stage.name}});
    const auto origin = originOf(problem, view);
    writeFigure(out.path(), figure, options, &origin);
    out.finish();
    printWarnings(result.trace.notes);
    return 0;
}

} // namespace attnlab::app
