// Implements `attnlab render`: draws stages to files, and with --steps one query's row step by step.
#include "app/command_parser.h"
#include "app/command_table.h"
#include "app/figure_choices.h"
#include "app/model_options.h"
#include "app/out_pattern.h"
#include "app/output.h"
#include "app/page_output.h"
#include "app/parse.h"
#include "app/render_steps.h"
#include "app/spec_options.h"
#include "app/streams.h"
#include "core/backend.h"
#include "core/io/read_contents.h"
#include "core/io/workspace_file.h"
#include "core/lookup.h"
#include "core/model/one_head.h"
#include "ui/document/local_files.h"
#include "ui/document/view_state.h"
#include "ui/drawing/attention_drawings.h"
#include "ui/drawing/figure.h"
#include "ui/export/export.h"
#include "ui/export/formats.h"
#include "ui/export/web_page.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attnlab::app {

using namespace attnlab::ui;

namespace {

/// The window's view saved in a workspace; options override it.
struct Shown {
    QString page, stage;
    int batch = 0, head = 0;
    ColorChoice colors;
    HeldColors held;
    QString figure;
    std::string json;
};

/// The view of the last workspace among the files.
std::optional<Shown> shownBy(const QStringList& files) {
    std::optional<Shown> shown;
    for (const auto& file : files)
        if (const auto json = io::read_view(toPath(file))) {
            ViewState view;
            viewFromJson(*json, view);
            shown = Shown{view.page(),   view.stage(), view.batch(),  view.head(),
                          view.colors(), view.held(),  view.figure(), *json};
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

/// The requested stages, or the one in the saved view, or the weights.
std::vector<const Stage*> findStages(const QCommandLineParser& parser, const Trace& trace,
                                     const std::optional<Shown>& shown) {
    if (!parser.isSet("stage")) {
        if (shown)
            if (const Stage* stage = stageToShow(trace, shown->stage.toStdString()))
                return {stage};
        if (const Stage* weights = trace.find("weights"))
            return {weights};
        if (trace.stages.size() == 1)
            return {&trace.stages.front()};
        throw UsageError("--stage: is missing; there are " + listed(trace.stages, &Stage::name));
    }
    std::vector<const Stage*> stages;
    for (const auto& name : parser.value("stage").split(QLatin1Char(',')))
        stages.push_back(&stageNamed(name.trimmed().toStdString(), trace));
    return stages;
}

/// The heads to draw: one, some, their mean, or all.
std::vector<int> readHeads(const QCommandLineParser& parser, int count, const std::optional<Shown>& shown) {
    if (shown && !parser.isSet("head"))
        return {std::min(shown->head, count - 1)};
    const auto text = parser.value("head");
    std::vector<int> heads;
    if (text == QLatin1String("all"))
        for (int head = 0; head < count; ++head)
            heads.push_back(head);
    else
        for (const auto& part : text.split(QLatin1Char(','))) {
            bool is_number = false;
            const int head = part.trimmed().toInt(&is_number);
            const bool is_mean = part.trimmed() == QLatin1String("mean");
            if (!is_mean && (!is_number || head < 0 || head >= count))
                throw UsageError("--head: has '" + text.toStdString() + "', expected mean, all or 0 to " +
                                 std::to_string(count - 1) + ", several with commas between them");
            heads.push_back(is_mean ? int{ViewState::mean_of_heads} : head);
        }
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

/// The part of a result that one figure shows.
struct Part {
    std::vector<const Stage*> stages;
    std::vector<int> heads;
    int batch = 0;
};

QString nameOfHead(int head) {
    return head == ViewState::mean_of_heads ? QStringLiteral("mean") : QString::number(head);
}

/// A panel for each chosen head: the stages, or one of their rows as an image. Several stages have their own colours.
FigurePanels panelsOf(const QCommandLineParser& parser, const AttentionProblem& problem, const Trace& trace,
                      const Part& part, const ViewState& view) {
    const bool one_row = parser.isSet("row");
    const int row = one_row ? readNumber(parser, "row", 0, std::numeric_limits<int>::max()) : 0;
    if (one_row && !problem.key_grid)
        throw UsageError("--row: expected --key-grid ROWSxCOLUMNS with it");
    const bool stages = part.stages.size() > 1;
    FigurePanels panels;
    for (const int head : part.heads)
        for (const Stage* stage : part.stages) {
            const auto slice = sliceOf(trace, *stage, part.batch, head);
            if (!slice)
                continue;
            const QString of_head = head == ViewState::mean_of_heads ? QString() : headTitle(head);
            const QString words = stageWordsInPass(stage->name);
            FigurePanel panel{one_row ? onKeyGrid(*slice, row, *problem.key_grid) : *slice,
                              !stages                                       ? of_head
                              : part.heads.size() > 1 && !of_head.isEmpty() ? words + QStringLiteral(" · ") + of_head
                                                                            : words};
            if (stages)
                panel.scale = shownScale(trace, *stage, part.batch, view);
            panels.push_back(std::move(panel));
        }
    return panels;
}

/// A, B and B - A of a stage, for one head.
Figure comparisonOf(const QCommandLineParser& parser, const Computed& result, const Part& part,
                    const ColorChoice& colors, const std::optional<Shown>& shown) {
    if (parser.isSet("row"))
        throw UsageError("--row: is for one setting, expected no --with beside it");
    if (part.heads.size() > 1)
        throw UsageError("--head: several heads of two settings are too many for one picture, expected one or mean, or "
                         "{head} in the name of --out");
    if (part.stages.size() > 1)
        throw UsageError("--stage: several stages of two settings are too many for one picture, expected one, or "
                         "{stage} in the name of --out");
    const Stage& stage = *part.stages.front();
    const auto& other = compared_trace_of(result);
    const auto comparison = compare(result.trace, other, stage.name);
    const bool same_settings = shown && !parser.isSet("with");
    const auto matrices = comparedMatrices(result.trace, other, comparison, part.batch, part.heads.front(), colors,
                                           same_settings ? &shown->held : nullptr);
    if (!matrices)
        return {FigurePanels(), ColorScale()};
    return {matrices->panels(QStringLiteral("A"), QStringLiteral("B")), matrices->values};
}

/// One call of the command, for each of its inputs.
struct RenderRun {
    const CommandParser& parser;
    Backends backends;
    std::string backend;
    OutPattern& out;
    QString path; ///< of the only file, where `out` has no names in braces
    QString suffix;
    bool steps = false, page = false;
    bool& has_noted; ///< what figures carry: once for all
};

void noteOnce(const RenderRun& run, const FigureOptions& options, const FigureOrigin& origin) {
    if (!std::exchange(run.has_noted, true))
        noteInputs(options, origin, run.suffix);
}

FigureOptions optionsOf(const RenderRun& run, const std::optional<Shown>& shown, bool compares, const Part& part) {
    const auto& parser = run.parser;
    auto options = figureLike(parser, shown);
    const bool is_sized = parser.isSet("size") || parser.isSet("style") || (shown && !shown->figure.isEmpty());
    if (compares && !is_sized) {
        options.automatic_height = true;
        options.size_points.setWidth(900); // for three pictures side by side
    }
    if (part.stages.size() > 1 && options.columns == 0)
        options.columns = static_cast<int>(part.stages.size());
    return options;
}

/// A way of drawing a head other than as a heatmap.
struct HeadDrawing {
    const char* id; ///< of --view
    bool needs_query;
    std::shared_ptr<const Drawing> (*make)(const MatrixData& matrix, std::optional<int> query);
};
constexpr std::array head_drawings{
    HeadDrawing{"lines", false,
                [](const MatrixData& matrix, std::optional<int> query) -> std::shared_ptr<const Drawing> {
                    auto drawing = std::make_shared<LinesDrawing>();
                    drawing->matrix = matrix;
                    drawing->query = query;
                    return drawing;
                }},
    HeadDrawing{"arcs", false,
                [](const MatrixData& matrix, std::optional<int> query) -> std::shared_ptr<const Drawing> {
                    auto drawing = std::make_shared<ArcsDrawing>();
                    drawing->matrix = matrix;
                    drawing->query = query;
                    return drawing;
                }},
    HeadDrawing{"bars", true,
                [](const MatrixData& matrix, std::optional<int> query) -> std::shared_ptr<const Drawing> {
                    return AttentionBars::ofQuery(matrix, query.value_or(0));
                }},
    HeadDrawing{"profile", false,
                [](const MatrixData& matrix, std::optional<int>) -> std::shared_ptr<const Drawing> {
                    return AttentionBars::ofKeys(matrix);
                }},
};

const HeadDrawing* findDrawing(const QString& id) {
    const auto found =
        std::ranges::find_if(head_drawings, [&](const auto& row) { return id == QLatin1String(row.id); });
    return found == head_drawings.end() ? nullptr : &*found;
}

/// Throws UsageError for options that contradict --view.
void checkView(const QCommandLineParser& parser, bool page) {
    if (!parser.isSet("view"))
        return;
    const auto view = parser.value("view");
    if (view == QLatin1String("heatmap")) {
        if (parser.isSet("query"))
            throw UsageError("--query: is for --steps and for other values of --view than heatmap");
        return;
    }
    if (view != QLatin1String("wall") && !findDrawing(view))
        throw UsageError("--view: has '" + view.toStdString() +
                         "', expected heatmap, lines, arcs, bars, profile or wall");
    if (page)
        throw UsageError("--view: does not go with .html, whose reader chooses");
    const bool is_wall = view == QLatin1String("wall");
    for (const auto& option :
         is_wall ? QStringList{"with", "row", "stage", "head", "query"} : QStringList{"with", "row"} + heatmapOptions())
        if (parser.isSet(option))
            throw UsageError("--" + option.toStdString() + ": does not go with --view " + view.toStdString());
    if (view == QLatin1String("profile") && parser.isSet("query"))
        throw UsageError("--query: --view profile is about all queries");
}

/// What a figure of a head's drawing is drawn again from.
struct DrawnHead {
    const HeadDrawing* drawing = nullptr; ///< null: a heatmap
    std::optional<int> query;
};

DrawnHead drawnHead(const QCommandLineParser& parser, const std::optional<Shown>& shown) {
    DrawnHead drawn;
    if (parser.isSet("view")) {
        drawn.drawing = findDrawing(parser.value("view"));
        if (parser.isSet("query"))
            drawn.query = readNumber(parser, "query", 0, std::numeric_limits<int>::max());
    } else if (shown) {
        const auto saved = QJsonDocument::fromJson(QByteArray::fromStdString(shown->json)).object()["drawn"].toObject();
        drawn.drawing = findDrawing(saved["view"].toString());
        if (saved["query"].isDouble())
            drawn.query = std::max(0, saved["query"].toInt());
    }
    if (drawn.drawing && drawn.drawing->needs_query && !drawn.query)
        drawn.query = 0;
    return drawn;
}

/// One head as lines, arcs or bars.
void writeDrawing(const RenderRun& run, const AttentionProblem& problem, const Computed& result, const Part& part,
                  const DrawnHead& drawn, const std::optional<Shown>& shown, const QString& path) {
    const auto& stage = *part.stages.front();
    if (part.heads.size() > 1 || part.stages.size() > 1)
        throw UsageError(
            "--view: shows one head of one stage, expected one, or {head} or {stage} in the name of --out");
    const auto matrix = sliceOf(result.trace, stage, part.batch, part.heads.front());
    if (!matrix || matrix->view().empty())
        throw Error({ATTNLAB_TEXT("stage: '%1' has nothing to draw"), {stage.name}});
    if (drawn.query && *drawn.query >= matrix->view().rows)
        throw UsageError("--query: has " + std::to_string(*drawn.query) + ", expected 0 to " +
                         std::to_string(matrix->view().rows - 1));
    auto options = figureLike(run.parser, shown);
    if (!run.parser.isSet("size") && !run.parser.isSet("style") && !(shown && !shown->figure.isEmpty()))
        options.automatic_height = true;
    ViewState view;
    view.setStage(QString::fromStdString(stage.name));
    view.setBatch(part.batch);
    view.setHead(part.heads.front());
    auto origin = originOf(problem, view);
    auto json = QJsonDocument::fromJson(QByteArray::fromStdString(origin.view_json)).object();
    json["drawn"] = QJsonObject{{"view", QLatin1String(drawn.drawing->id)},
                                {"query", drawn.query ? QJsonValue(*drawn.query) : QJsonValue()}};
    origin.view_json = QJsonDocument(json).toJson(QJsonDocument::Compact).toStdString();
    writeFigure(path, Figure(drawn.drawing->make(*matrix, drawn.query)), options, &origin);
    noteOnce(run, options, origin);
    noteStyle(options, run.suffix);
}

/// Draws and writes one figure.
void writePart(const RenderRun& run, const AttentionProblem& problem, const Computed& result, const Part& part,
               bool compares, const std::optional<Shown>& shown, const QString& path) {
    if (const auto drawn = drawnHead(run.parser, shown); drawn.drawing && !compares)
        return writeDrawing(run, problem, result, part, drawn, shown, path);
    const auto options = optionsOf(run, shown, compares, part);
    const auto& first = *part.stages.front();
    const auto colors = colorsOf(options);
    ViewState view;
    view.setPage(compares ? QStringLiteral("compare") : QStringLiteral("matrix"));
    view.setStage(QString::fromStdString(first.name));
    view.setBatch(part.batch);
    view.setHead(part.heads.front());
    view.setColors(colors);
    if (shown)
        view.setHeld(shown->held);
    Figure figure = compares ? comparisonOf(run.parser, result, part, colors, shown)
                             : Figure(panelsOf(run.parser, problem, result.trace, part, view),
                                      shownScale(result.trace, first, part.batch, view));
    figure.quantity = stageWordsInPass(first.name);
    if (figure.panels.empty())
        throw Error({ATTNLAB_TEXT("stage: '%1' has nothing to draw"), {first.name}});
    const auto origin = originOf(problem, view);
    writeFigure(path, figure, options, &origin);
    noteOnce(run, options, origin);
    noteStyle(options, run.suffix);
    noteLetters(figure.panels, run.suffix);
}

void writePageOf(const RenderRun& run, const Computed& result, const Part& part, bool compares,
                 const std::optional<Shown>& shown, const QString& path) {
    const auto options = optionsOf(run, shown, compares, part);
    const WebPageStage first{part.stages.front()->name, part.batch, part.heads.front()};
    auto page_options = readPageOptions(run.parser);
    page_options.colormap = options.colormap;
    page_options.logarithmic = options.logarithmic;
    writePage(path,
              compares ? comparisonPage(result.trace, compared_trace_of(result), first, page_options)
                       : stagePage(result.trace, first, page_options),
              page_options);
}

/// The weights of all heads of all passes of a capture, or of the only problem, without labels.
void writeWall(const RenderRun& run, const QStringList& files, const QString& path) {
    const auto& parser = run.parser;
    const int batch = readNumber(parser, "batch", 0, std::numeric_limits<int>::max());
    std::vector<std::filesystem::path> paths;
    for (const auto& file : files)
        paths.push_back(toPath(file));
    const auto contents = io::read_contents(paths);
    FigurePanels panels;
    ValueRange range;
    const auto add = [&](const Trace& trace, int of_batch, int head, const QString& name) {
        const Stage* weights = stageToShow(trace, "weights");
        if (const auto slice = weights ? sliceOf(trace, *weights, of_batch, head) : std::nullopt) {
            const auto view = slice->view();
            range.include(std::span(view.data, static_cast<std::size_t>(view.rows * view.columns)));
            panels.push_back({*slice, name});
        }
    };
    std::size_t most_heads = 0;
    if (contents.capture && !parser.isSet("pass")) {
        int layer = 0;
        for (const auto& recorded : contents.capture->passes) {
            if (batch >= model::size_of(*contents.capture, recorded).batch)
                throw UsageError("--batch: has " + std::to_string(batch) + ", and pass " + recorded.name +
                                 " has fewer");
            const auto pass = model::pass_of(*contents.capture, recorded, batch);
            for (std::int64_t head = 0; head < recorded.heads; ++head)
                add(model::trace_of(pass, head, model::tokens_of(*contents.capture, recorded, batch)), 0, 0,
                    QStringLiteral("%1.%2").arg(layer).arg(head));
            most_heads = std::max(most_heads, static_cast<std::size_t>(recorded.heads));
            ++layer;
        }
    } else {
        auto problem = readProblem(parser, files);
        problem.compared_with.reset();
        const auto result = compute(problem, run.backends, run.backend);
        for (int head = 0; head < sizeOf(result.trace).heads; ++head)
            add(result.trace, batch, head, headTitle(head));
        printWarnings(result.trace.notes);
    }
    if (panels.empty())
        throw Error(Message(ATTNLAB_TEXT("There are no weights to draw")));
    auto options = readFigureOptions(parser);
    options.labels = false;
    options.keeps_inputs = false;
    if (!parser.isSet("size") && !parser.isSet("style"))
        options.automatic_height = true;
    if (options.columns == 0 && most_heads > 0)
        options.columns = static_cast<int>(std::min<std::size_t>(most_heads, 64));
    Figure figure(std::move(panels), colorScale(colorsOf(options), range, range.low < 0.0, true));
    figure.quantity = stageWordsInPass("weights");
    writeFigure(path, figure, options);
    noteStyle(options, run.suffix);
}

/// The figures of one problem.
void renderFiles(const RenderRun& run, const QStringList& files) {
    const auto& parser = run.parser;
    const auto shown = run.steps ? std::nullopt : shownBy(files);
    QHash<QString, QString> names{
        {"stem", files.isEmpty() ? parser.value("model") : QFileInfo(files.first()).completeBaseName()},
        {"pass", parser.value("pass")}};
    if (run.page && !shown)
        if (const auto capture = capturePage(parser, files)) {
            const auto path = run.out.has() ? run.out.path(names) : run.path;
            checkOutput("out", path, files);
            writePage(path, *capture, readPageOptions(parser));
            return;
        }
    if (parser.value("view") == QLatin1String("wall")) {
        checkFont(readFigureOptions(parser));
        const auto path = run.out.has() ? run.out.path(names) : run.path;
        checkOutput("out", path, files);
        return writeWall(run, files, path);
    }
    int batch = readNumber(parser, "batch", 0, std::numeric_limits<int>::max());
    if (shown && !parser.isSet("batch"))
        batch = shown->batch;
    checkFont(figureLike(parser, shown));
    auto problem = readProblem(parser, files);
    const bool compares = parser.isSet("with") || (shown && shown->page == QLatin1String("compare") &&
                                                   problem.compared_with && !parser.isSet("row"));
    if (!compares)
        problem.compared_with.reset();
    if (!run.out.has())
        checkOutput("out", run.path, files);
    const auto result = compute(problem, run.backends, run.backend);
    const auto size = sizeOf(result.trace);
    if (shown && !parser.isSet("batch"))
        batch = std::min(batch, size.batches - 1);
    if (batch >= size.batches)
        throw UsageError("--batch: has " + std::to_string(batch) + ", expected 0 to " +
                         std::to_string(size.batches - 1));
    names["batch"] = QString::number(batch);
    const auto pathFor = [&](const QHash<QString, QString>& more) {
        if (!run.out.has())
            return run.path;
        auto all = names;
        all.insert(more);
        const auto path = run.out.path(all);
        checkOutput("out", path, files);
        return path;
    };
    if (run.steps) {
        renderSteps(parser, problem, result, batch, readFigureOptions(parser),
                    pathFor({{"stage", "steps"}, {"head", parser.value("head")}}));
    } else if (shown && shown->page == QLatin1String("steps") && !run.page && !parser.isSet("stage") &&
               renderStepsAgain(shown->json, problem, result, figureLike(parser, shown),
                                pathFor({{"stage", "steps"}, {"head", QString::number(shown->head)}}))) {
        noteStyle(figureLike(parser, shown), run.suffix);
    } else {
        const Part all{findStages(parser, result.trace, shown), readHeads(parser, size.heads, shown), batch};
        if (shown && !QStringList{"matrix", "compare"}.contains(shown->page))
            printError("attnlab: note: the window showed the page '" + shown->page.toStdString() +
                       "'; this is its stage " + all.stages.front()->name);
        const bool by_stage = run.out.has("stage") && !run.page, by_head = run.out.has("head") && !run.page;
        for (std::size_t i = 0; i < (by_stage ? all.stages.size() : 1); ++i)
            for (std::size_t j = 0; j < (by_head ? all.heads.size() : 1); ++j) {
                Part part = all;
                if (by_stage)
                    part.stages = {all.stages[i]};
                if (by_head)
                    part.heads = {all.heads[j]};
                const auto path = pathFor({{"stage", QString::fromStdString(part.stages.front()->name)},
                                           {"head", nameOfHead(part.heads.front())}});
                run.page ? writePageOf(run, result, part, compares, shown, path)
                         : writePart(run, problem, result, part, compares, shown, path);
            }
    }
    printWarnings(result.trace.notes);
}

/// The passes of the captures among the files; with --pass all, each is drawn.
QStringList passesOf(const QStringList& files) {
    QStringList names;
    for (const auto& file : files) {
        const std::filesystem::path path = toPath(file);
        if (const auto contents = io::read_contents(std::span(&path, 1)); contents.capture)
            for (const auto& pass : contents.capture->passes)
                names << QString::fromStdString(pass.name);
    }
    if (names.isEmpty())
        throw UsageError("--pass: has all, and the files are no capture");
    return names;
}

QStringList withPass(QStringList arguments, const QString& pass) {
    for (qsizetype i = 0; i < arguments.size(); ++i)
        if (arguments[i] == QLatin1String("--pass=all"))
            arguments[i] = QStringLiteral("--pass=") + pass;
        else if (i > 0 && arguments[i - 1] == QLatin1String("--pass"))
            arguments[i] = pass;
    return arguments;
}

void declareRender(CommandParser& parser) {
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
         {{"stage", "stages"},
          "Which stage: scores, scaled, masked, weights, output, ...; several with commas are beside each other, with "
          "their own colours. Default: weights.",
          "NAME"},
         {"batch", "Which batch entry, from 0.", "B", "0"},
         {{"head", "heads"},
          "Which head, from 0; mean for their mean; several (0,2,5), or all, are on shared axes.",
          "H|mean|all",
          "0"},
         {"row", "One query's row alone, as a picture of the key grid.", "I"},
         {"out",
          "The picture; of all --steps an animation; or a page of HTML with all heads, of which --head is shown first, "
          "and all passes of a capture. - is standard output. With {stem} in the name, each input is a problem of its "
          "own "
          "and has a file; {pass}, {stage}, {batch} and {head} make a file for each that is chosen: "
          "'{stem}_{head}.pdf'. --pass all chooses every pass of a capture.",
          "FILE." + suffixWords(FormatKind::Picture) + '|' + suffixWords(FormatKind::Animation) + '|' +
              suffixWords(FormatKind::WebPage) + "|-"}});
    parser.addOption(
        {"view",
         "How a head is drawn: heatmap (default), lines from queries to keys, arcs over the sentence, bars "
         "of one query, profile (how much each key is read), or wall: the weights of all heads of all "
         "passes of a capture. --query chooses the query of lines, arcs and bars.",
         "VIEW"});
    addFormatOption(parser);
    addStepOptions(parser);
    addFigureOptions(parser);
    addPageOptions(parser);
    addModelOptions(parser);
}

} // namespace

int renderCommand(const QStringList& arguments, Backends backends) {
    CommandParser parser;
    declareRender(parser);
    if (!parse(parser, arguments))
        return 0;
    const bool steps = parser.isSet("steps");
    OutputFile file(parser,
                    suffixesOf(FormatKind::Picture) + suffixesOf(steps ? FormatKind::Animation : FormatKind::WebPage));
    OutPattern out(file.path());
    const bool page = isPage(parser, file.suffix());
    checkStepOptions(parser, file.suffix());
    checkView(parser, page);
    const auto backend = parser.value("backend").toStdString();
    checkBackend(backend, backends);
    readNumber(parser, "batch", 0, std::numeric_limits<int>::max());
    readFigureOptions(parser); // reports wrong options before anything is read
    const InputFiles inputs(parser.positionalArguments());
    const OffscreenApplication application(arguments.first());
    bool has_noted = false;
    std::vector<QStringList> problems{inputs.names()};
    if (out.has("stem") && inputs.names().size() > 1) {
        problems.clear();
        for (const auto& name : inputs.names())
            problems.push_back({name});
    }
    for (const auto& files : problems)
        if (parser.value("pass") == QLatin1String("all")) {
            if (!out.has("pass"))
                throw UsageError("--pass: has all, expected {pass} in the name of --out");
            for (const auto& pass : passesOf(files)) {
                CommandParser one;
                declareRender(one);
                parse(one, withPass(arguments, pass));
                renderFiles({one, backends, backend, out, file.path(), file.suffix(), steps, page, has_noted}, files);
            }
        } else {
            renderFiles({parser, backends, backend, out, file.path(), file.suffix(), steps, page, has_noted}, files);
        }
    file.finish();
    return 0;
}

} // namespace attnlab::app
