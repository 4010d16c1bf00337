// Implements `attnlab render`: draws stages to files, and with --steps one query's row step by step.
#include "app/command_parser.h"
#include "app/command_table.h"
#include "app/commands/page_output.h"
#include "app/commands/render_exhibits.h"
#include "app/commands/render_run.h"
#include "app/commands/render_steps.h"
#include "app/commands/render_views.h"
#include "app/figure_choices.h"
#include "app/model_options.h"
#include "app/out_pattern.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "app/streams.h"
#include "core/backend.h"
#include "core/io/file_formats.h"
#include "core/mechanisms.h"
#include "ui/document/local_files.h"
#include "ui/document/view_state.h"
#include "ui/drawing/figures/figure.h"
#include "ui/export/export.h"
#include "ui/export/formats.h"
#include "ui/export/matrix_export.h"
#include "ui/export/web_page.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <QFileInfo>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attnlab::app {

using namespace attnlab::ui;

namespace {

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

/// The stages of the chosen heads, or one of their rows as an image.
FigurePanels panelsIn(const QCommandLineParser& parser, const AttentionProblem& problem, const Trace& trace,
                      const Part& part, const ViewState& view) {
    const bool one_row = parser.isSet("row");
    const int row = one_row ? readNumber(parser, "row", 0, std::numeric_limits<int>::max()) : 0;
    if (one_row && !problem.key_grid)
        throw UsageError("--row: expected --key-grid ROWSxCOLUMNS with it");
    auto panels = panelsOf(trace, part.stages, part.heads, part.batch,
                           [&](const Stage& stage) { return shownScale(trace, stage, part.batch, view); });
    if (one_row)
        for (auto& panel : panels)
            panel.matrix = onKeyGrid(panel.matrix, row, *problem.key_grid);
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
                             : Figure(panelsIn(run.parser, problem, result.trace, part, view),
                                      shownScale(result.trace, first, part.batch, view));
    figure.quantity = stageNameOf(first);
    if (figure.panels.empty())
        throw Error({ATTNLAB_TEXT("stage: '%1' has nothing to draw"), {first.name}});
    const auto names = static_cast<std::size_t>(options.panel_names.size());
    if (run.parser.isSet("head-names") && names > figure.panels.size())
        throw UsageError("--head-names: has " + std::to_string(names) + " names, expected at most " +
                         std::to_string(figure.panels.size()) + ", one for each heatmap");
    if (run.parser.isSet("columns") && static_cast<std::size_t>(options.columns) > figure.panels.size())
        throw UsageError("--columns: has " + std::to_string(options.columns) + ", expected at most " +
                         std::to_string(figure.panels.size()) + ", one for each heatmap");
    const auto origin = originOf(problem, view);
    writeFigure(path, figure, options, &origin);
    noteOnce(run, options, origin);
    noteStyle(options, run.suffix);
    noteLetters(figure, options, run.suffix);
}

void writePageOf(const RenderRun& run, const AttentionProblem& problem, const Computed& result, const Part& part,
                 bool compares, const std::optional<Shown>& shown, const QString& path) {
    const auto options = optionsOf(run, shown, compares, part);
    const WebPageStage first{part.stages.front()->name, part.batch, part.heads.front()};
    auto page_options = readPageOptions(run.parser);
    if (page_options.title.isEmpty())
        page_options.title =
            run.parser.isSet("text") ? run.parser.value("text") : translated(mechanism_of(problem.spec.variant).title);
    page_options.colormap = options.colormap;
    page_options.logarithmic = options.logarithmic;
    writePage(path,
              compares ? comparisonPage(result.trace, compared_trace_of(result), first, page_options)
                       : stagePage(result.trace, first, page_options),
              page_options);
}

QString stemOf(const QString& file) { return QFileInfo(file).completeBaseName(); }

/// The figures of one problem.
void renderFiles(const RenderRun& run, const QStringList& files) {
    const auto& parser = run.parser;
    const auto read_files = files + modelInputFiles(parser);
    auto shown = run.steps ? std::nullopt : shownBy(files);
    if (shown)
        dropOutdatedAnswer(parser, files, *shown);
    QHash<QString, QString> names{{"stem", files.isEmpty() ? parser.value("model") : stemOf(files.first())},
                                  {"pass", parser.value("pass")}};
    if (shown && mapIn(shown->json) && !parser.isSet("stage") && !parser.isSet("view"))
        throw UsageError(files.first().toStdString() +
                         ": is a figure of a map, which 'attnlab map' draws again; --stage weights draws all weights");
    if (run.page && !shown)
        if (const auto capture = capturePage(parser, files)) {
            const auto path = run.out.has() ? run.out.path(names) : run.path;
            checkOutput("out", path, read_files);
            writePage(path, *capture, readPageOptions(parser));
            return;
        }
    const auto view = parser.value("view");
    if (view == QLatin1String("wall") || view == QLatin1String("plot")) {
        checkFont(readFigureOptions(parser));
        const auto path = run.out.has() ? run.out.path(names) : run.path;
        checkOutput("out", path, read_files);
        return view == QLatin1String("wall") ? writeWall(run, files, path) : writePlot(run, files, path);
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
        checkOutput("out", run.path, read_files);
    if (findFormat(FormatKind::Picture, run.suffix))
        noteIdleFigureOptions(parser, run.suffix);
    auto result = compute(problem, run.backends, run.backend);
    const auto size = sizeOf(result.trace);
    if (shown && !parser.isSet("batch"))
        batch = std::min(batch, size.batches - 1);
    if (batch >= size.batches)
        throw UsageError("--batch: has " + std::to_string(batch) + ", expected 0 to " +
                         std::to_string(size.batches - 1));
    names["batch"] = QString::number(batch);
    const auto path_for = [&](const QHash<QString, QString>& more) {
        if (!run.out.has())
            return run.path;
        auto all = names;
        all.insert(more);
        auto path = run.out.path(all);
        checkOutput("out", path, read_files);
        return path;
    };
    if (exhibitViews().contains(view)) {
        const auto path = path_for({{"stage", view}, {"head", parser.value("head")}});
        printWarnings(result.trace.notes);
        return writeExhibit(run, std::move(result), batch, path);
    }
    if (run.steps) {
        renderSteps(parser, problem, result, batch, readFigureOptions(parser),
                    path_for({{"stage", "steps"}, {"head", parser.value("head")}}));
    } else if (shown && shown->page == QLatin1String("steps") && !run.page && !parser.isSet("stage") &&
               renderStepsAgain(shown->json, problem, result, figureLike(parser, shown),
                                path_for({{"stage", "steps"}, {"head", QString::number(shown->head)}}))) {
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
                const auto path = path_for({{"stage", QString::fromStdString(part.stages.front()->name)},
                                            {"head", nameOfHead(part.heads.front())}});
                run.page ? writePageOf(run, problem, result, part, compares, shown, path)
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
         "of one query, profile (how much each key is read); value_norm, output_norm, no_sink:0 and words: the weights "
         "in another form, see compute; wall: the weights of all heads of all passes of a capture "
         "or a model; plot: these heads as dots by --x and --y; or what a mechanism does: " +
             exhibitViews().join(QStringLiteral(", ")) +
             " (tiles also animated). --query chooses the query of lines, arcs and bars.",
         "VIEW"});
    parser.addOptions({{"x", "Of --view plot: the figure along x.", "FIGURE", "entropy"},
                       {"y", "Of --view plot: the figure along y.", "FIGURE", "induction"},
                       {"effects", "Of --view wall of a model: below each head what becomes of the answer without it, "
                                   "with a bar, and below all of them what the words mean."},
                       {"answer", "Of --view arcs of a model: its answer behind the last token; of the model with the "
                                  "heads off that --ablate switches off."}});
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
    checkModelIsGiven(parser);
    const bool steps = parser.isSet("steps");
    const bool exhibit = exhibitViews().contains(parser.value("view"));
    OutputFile file(parser, suffixesOf(FormatKind::Picture) +
                                suffixesOf(steps || exhibit ? FormatKind::Animation : FormatKind::WebPage));
    OutPattern out(file.path());
    const bool page = isPage(parser, file.suffix());
    checkStepOptions(parser, file.suffix());
    checkView(parser, page, findFormat(FormatKind::Animation, file.suffix()) != nullptr);
    const auto backend = parser.value("backend").toStdString();
    checkBackend(backend, backends);
    readNumber(parser, "batch", 0, std::numeric_limits<int>::max());
    readFigureOptions(parser); // reports wrong options before anything is read
    const InputFiles inputs(parser.positionalArguments());
    const bool has_charts = exhibit || parser.value("view") == QLatin1String("plot") || parser.isSet("effects");
    const OffscreenApplication application(arguments.first(), has_charts);
    bool has_noted = false;
    std::vector<QStringList> problems{inputs.names()};
    if (out.has("stem") && inputs.names().size() > 1) {
        problems.clear();
        QHash<QString, QString> by_stem;
        for (const auto& name : inputs.names()) {
            auto& known = by_stem[stemOf(name)];
            if (!known.isEmpty())
                throw UsageError("--out: {stem} is '" + stemOf(name).toStdString() + "' for both '" +
                                 known.toStdString() + "' and '" + name.toStdString() + "'");
            known = name;
            problems.push_back({name});
        }
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
