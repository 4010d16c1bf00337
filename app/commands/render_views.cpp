#include "app/commands/render_views.h"

#include "app/commands/render_exhibits.h"
#include "app/figure_choices.h"
#include "app/model_options.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "core/capture/capture.h"
#include "core/io/file_formats.h"
#include "core/lookup.h"
#include "core/model/one_head.h"
#include "core/stages/view.h"
#include "ui/document/local_files.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/model/effect_marks.h"
#include "ui/model/head_effects.h"
#include "ui/model/model_figures.h"
#include "ui/model/model_result.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <QCoreApplication>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attnlab::app {

using namespace attnlab::ui;

void checkView(const QCommandLineParser& parser, bool page, bool animated) {
    const auto view = parser.value("view");
    const bool is_exhibit = exhibitViews().contains(view), is_plot = view == QLatin1String("plot");
    const bool of_weights = !readWeightsView(parser).empty();
    for (const char* axis : {"x", "y"})
        if (parser.isSet(axis) && !is_plot)
            throw UsageError("--" + std::string(axis) + ": is for --view plot");
    if (parser.isSet("effects") && (view != QLatin1String("wall") || !parser.isSet("model") || parser.isSet("pass")))
        throw UsageError("--effects: is for --view wall with --model, and all passes");
    if (parser.isSet("effects") && parser.isSet("ablate"))
        throw UsageError(
            "--effects: does not go with --ablate: the effects are those of a model with all heads on, and "
            "the pictures would have heads off");
    if (parser.isSet("answer") && (view != QLatin1String("arcs") || !parser.isSet("model")))
        throw UsageError("--answer: is for --view arcs with --model");
    if (const auto option = replacingOption(parser); parser.isSet("answer") && !option.isEmpty())
        throw UsageError("--answer: does not go with --" + option.toStdString() +
                         ", which changes the weights of the pass and not the answer of the model");
    if (animated && !is_exhibit && !parser.isSet("steps"))
        throw UsageError("--out: is an animation, which --steps and --view tiles make");
    if (view.isEmpty())
        return;
    if (view == QLatin1String("heatmap") || of_weights) {
        if (parser.isSet("query"))
            throw UsageError("--query: is for --steps and for other values of --view than " +
                             (of_weights ? view.toStdString() : "heatmap"));
        if (of_weights && (parser.isSet("stage") || parser.isSet("steps")))
            throw UsageError("--view: " + view.toStdString() +
                             " is a stage of its own, expected no --stage or --steps");
        return;
    }
    const bool is_wall = view == QLatin1String("wall"), is_one_head = findHeadDrawing(view) != nullptr;
    if (!is_wall && !is_plot && !is_exhibit && !is_one_head)
        throw UsageError(
            "--view: has '" + view.toStdString() + "', expected heatmap, lines, arcs, bars, profile, wall, plot, " +
            listed(weights_views(), &WeightsView::id) + ", " + exhibitViews().join(QStringLiteral(", ")).toStdString());
    if (page)
        throw UsageError("--view: does not go with .html, whose reader chooses");
    QStringList others{"with", "row"};
    if (!is_one_head)
        others << "stage"
               << "query";
    if (is_wall || is_plot)
        others << "head";
    if (!is_wall)
        others += heatmapOptions();
    for (const auto& option : others)
        if (parser.isSet(option))
            throw UsageError("--" + option.toStdString() + ": does not go with --view " + view.toStdString());
    if (view == QLatin1String("profile") && parser.isSet("query"))
        throw UsageError("--query: --view profile is about all queries");
}

DrawnHead drawnHead(const QCommandLineParser& parser, const std::optional<Shown>& shown) {
    DrawnHead drawn;
    if (parser.isSet("view")) {
        drawn.drawing = findHeadDrawing(parser.value("view"));
        if (parser.isSet("query"))
            drawn.query = readNumber(parser, "query", 0, std::numeric_limits<int>::max());
    } else if (shown) {
        drawn = drawnIn(shown->json);
        if (!shown->keeps_answer)
            drawn.answer.clear();
    }
    return drawn;
}

void dropOutdatedAnswer(const QCommandLineParser& parser, const QStringList& files, Shown& shown) {
    const auto option = replacingOption(parser);
    if ((option.isEmpty() && files.size() == 1) || drawnHead(parser, shown).answer.isEmpty())
        return;
    shown.keeps_answer = false;
    printError("attnlab: note: the answer of the figure is left out: " +
               (option.isEmpty() ? std::string("other files") : "--" + option.toStdString()) +
               " may change the weights, and the answer is that of the model without the change");
}

namespace {

/// The model with all its passes, as its page shows it. `what` needs it.
ModelResultPtr readModelHeads(const QCommandLineParser& parser, const std::string& what) {
    checkModelInput(parser);
    for (const char* option : {"text-file", "pair"})
        if (parser.isSet(option))
            throw UsageError("--" + std::string(option) + ": does not go with " + what);
    if (parser.values("image").size() > 1)
        throw UsageError("--image: is given several times, and " + what + " reads one image");
    const auto folder = modelPath(parser.value("model"));
    ModelRequest request;
    request.are_ids = parser.isSet("ids");
    request.text = parser.isSet("ids") ? parser.value("ids") : parser.value("text");
    request.target = parser.value("target");
    request.image = parser.value("image");
    request.sound = parser.value("sound");
    request.ablations = readAblations(parser, model::Ablation::By::Zero);
    auto result =
        computeModel(std::make_shared<const model::Model>(model::Model::open(folder)), folder, request, nullptr, {});
    if (result->isTooLong())
        throw Error(Message(ATTNLAB_TEXT("The text has more tokens than the model reads")));
    return result;
}

QString answerFor(const QCommandLineParser& parser) {
    const auto result = readModelHeads(parser, "--answer");
    const auto answer = presentAnswer(*result);
    if (!answer)
        throw UsageError("--answer: this model gives no answer");
    const auto pass = parser.value("pass").toStdString();
    if (!answerFollows(*result, pass))
        throw UsageError("--answer: stands behind the text of the decoder, and the queries of --pass " + pass +
                         " are those of the encoder");
    return answerText(*answer);
}

} // namespace

void writeDrawing(const RenderRun& run, const AttentionProblem& problem, const Computed& result, const Part& part,
                  DrawnHead drawn, const std::optional<Shown>& shown, const QString& path) {
    const auto& stage = *part.stages.front();
    if (part.heads.size() > 1 || part.stages.size() > 1)
        throw UsageError(
            "--view: shows one head of one stage, expected one, or {head} or {stage} in the name of --out");
    const auto matrix = sliceOf(result.trace, stage, part.batch, part.heads.front());
    if (!matrix || matrix->view().empty())
        throw Error({ATTNLAB_TEXT("stage: '%1' has nothing to draw"), {stage.name}});
    if (drawn.drawing->query == HeadDrawing::Query::Needed && !drawn.query)
        drawn.query = static_cast<int>(matrix->view().rows) - 1; // which reads most where rows cannot read ahead
    if (drawn.query && *drawn.query >= matrix->view().rows)
        throw UsageError("--query: has " + std::to_string(*drawn.query) + ", expected 0 to " +
                         std::to_string(matrix->view().rows - 1));
    if (run.parser.isSet("answer"))
        drawn.answer = answerFor(run.parser);
    auto options = figureLike(run.parser, shown);
    if (!run.parser.isSet("size") && !run.parser.isSet("style") && !(shown && !shown->figure.isEmpty()))
        options.automatic_height = true;
    ViewState view;
    view.setStage(QString::fromStdString(stage.name));
    view.setBatch(part.batch);
    view.setHead(part.heads.front());
    const auto origin = drawnAs(originOf(problem, view), drawn);
    Figure figure(drawn.drawing->make(*matrix, drawn.query, drawn.answer));
    figure.labels = matrix->row_labels + matrix->column_labels;
    writeFigure(path, figure, options, &origin);
    noteOnce(run, options, origin);
    noteStyle(options, run.suffix);
    noteLetters(figure, options, run.suffix);
}

namespace {

/// Collects the weights of heads on one scale.
class WallPanels {
public:
    void add(const Trace& trace, int batch, int head, const QString& name) {
        const Stage* weights = stageToShow(trace, "weights");
        const auto slice = weights ? sliceOf(trace, *weights, batch, head) : std::nullopt;
        if (!slice)
            return;
        const auto view = slice->view();
        range.include(std::span(view.data, static_cast<std::size_t>(view.rows * view.columns)));
        panels.push_back({*slice, name});
    }
    /// The heads, each of which `pass` has, of what `row` names.
    void addPass(const model::Pass& pass, const QString& row, std::int64_t heads, const model::PassTokens& tokens) {
        for (std::int64_t head = 0; head < heads; ++head)
            add(model::trace_of(pass, head, tokens), 0, 0, QStringLiteral("%1.%2").arg(row).arg(head));
        widest = std::max(widest, heads);
    }

    FigurePanels panels;
    ValueRange range;
    std::int64_t widest = 0;
};

/// The number of the layer, where all passes are of one stack and kind; otherwise the name of the pass, or its place if
/// it has another form.
QStringList rowsOf(const std::vector<std::string>& passes) {
    const auto first = parts_of_pass_name(passes.front());
    const bool are_layers =
        first && std::ranges::all_of(passes, [&](const std::string& name) {
            const auto parts = parts_of_pass_name(name);
            return parts && parts->run == 0 && parts->stack == first->stack && parts->kind == first->kind;
        });
    QStringList rows;
    for (const auto& name : passes) {
        const auto parts = parts_of_pass_name(name);
        rows << (are_layers ? QString::number(parts->layer) : parts ? textOf(name) : QString::number(rows.size()));
    }
    return rows;
}

std::vector<std::filesystem::path> pathsOf(const QStringList& files) {
    std::vector<std::filesystem::path> paths;
    for (const auto& file : files)
        paths.push_back(toPath(file));
    return paths;
}

void addModelHeads(WallPanels& wall, const QCommandLineParser& parser) {
    checkModelInput(parser);
    const auto folder = modelPath(parser.value("model"));
    const auto opened = model::Model::open(folder);
    const auto input = readModelInput(parser, opened, folder);
    const auto result = opened.run(input.input, {.ablations = readAblations(parser, model::Ablation::By::Zero)});
    if (result.passes.empty())
        return;
    std::vector<std::string> names;
    for (const auto& pass : result.passes)
        names.push_back(pass->name);
    const auto rows = rowsOf(names);
    for (std::size_t k = 0; k < result.passes.size(); ++k) {
        const auto& pass = *result.passes[k];
        wall.addPass(pass, rows[static_cast<qsizetype>(k)], pass.heads, tokensOf(input, pass.name));
    }
}

void addCapturedHeads(WallPanels& wall, const Capture& capture, int batch) {
    std::vector<std::string> names;
    for (const auto& recorded : capture.passes)
        names.push_back(recorded.name);
    const auto rows = names.empty() ? QStringList() : rowsOf(names);
    for (std::size_t k = 0; k < names.size(); ++k) {
        const auto& recorded = capture.passes[k];
        if (batch >= model::size_of(capture, recorded).batch)
            throw UsageError("--batch: has " + std::to_string(batch) + ", and pass " + recorded.name + " has fewer");
        wall.addPass(model::pass_of(capture, recorded, batch), rows[static_cast<qsizetype>(k)], recorded.heads,
                     model::tokens_of(capture, recorded, batch));
    }
}

const HeadFigure& figureFor(const QCommandLineParser& parser, const char* option, const ModelResult& result) {
    const auto there = headFiguresIn(result);
    std::string known;
    for (const auto* figure : there) {
        if (parser.value(option) == QLatin1String(figure->id))
            return *figure;
        known += (known.empty() ? "" : ", ") + std::string(figure->id);
    }
    throw UsageError("--" + std::string(option) + ": has '" + parser.value(option).toStdString() +
                     "', and these heads have " + known);
}

ModelResultPtr headsOf(const QCommandLineParser& parser, const QStringList& files, int batch) {
    if (parser.isSet("model")) {
        if (parser.isSet("pass"))
            throw UsageError("--pass: does not go with --view plot");
        return readModelHeads(parser, "--view plot");
    }
    auto contents = io::read_contents(pathsOf(files));
    if (!contents.capture)
        throw UsageError("--view: plot is of the heads of a capture, or of --model with --text");
    return computeCapture(std::make_shared<const Capture>(*std::move(contents.capture)), batch, {});
}

/// What each head does to the answer, as on the page of a model.
EffectMarks marksFor(const QCommandLineParser& parser) {
    const auto result = readModelHeads(parser, "--effects");
    HeadEffects effects;
    std::optional<Message> failure;
    QObject::connect(&effects, &HeadEffects::failed, [&failure](const Message& why) { failure = why; });
    effects.setResult(result);
    if (effects.state() == HeadEffects::State::None)
        throw UsageError("--effects: this model gives no answer");
    while (!failure && (effects.state() != HeadEffects::State::Done || effects.isWorking())) {
        effects.start(); // where it takes long, too
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    if (failure)
        throw Error(*failure);
    return effectMarks(effects, *result);
}

} // namespace

void writeWall(const RenderRun& run, const QStringList& files, const QString& path) {
    const auto& parser = run.parser;
    const int batch = readNumber(parser, "batch", 0, std::numeric_limits<int>::max());
    WallPanels wall;
    const bool of_pass = parser.isSet("pass");
    if (parser.isSet("model") && !of_pass) {
        addModelHeads(wall, parser);
    } else if (const auto contents = io::read_contents(pathsOf(files)); contents.capture && !of_pass) {
        addCapturedHeads(wall, *contents.capture, batch);
    } else {
        auto problem = readProblem(parser, files);
        problem.compared_with.reset();
        const auto result = compute(problem, run.backends, run.backend);
        for (int head = 0; head < sizeOf(result.trace).heads; ++head)
            wall.add(result.trace, batch, head, headTitle(head));
        printWarnings(result.trace.notes);
    }
    if (wall.panels.empty())
        throw Error(Message(ATTNLAB_TEXT("There are no weights to draw")));
    auto options = readFigureOptions(parser);
    options.labels = false;
    options.keeps_inputs = false;
    if (!parser.isSet("size") && !parser.isSet("style"))
        options.automatic_height = true;
    if (options.columns == 0 && wall.widest > 0)
        options.columns = static_cast<int>(std::min<std::int64_t>(wall.widest, 64));
    const auto marks = parser.isSet("effects") ? std::optional(marksFor(parser)) : std::nullopt;
    if (marks) {
        auto panel = wall.panels.begin();
        for (const auto& row : marks->of)
            for (const auto& mark : row)
                if (panel != wall.panels.end())
                    (panel++)->mark = mark;
    }
    Figure figure(std::move(wall.panels), colorScale(colorsOf(options), wall.range, wall.range.low < 0.0, true));
    figure.quantity = stageWordsInPass("weights");
    if (marks)
        figure.note = marks->note;
    writeFigure(path, figure, options);
    noteStyle(options, run.suffix);
}

void writePlot(const RenderRun& run, const QStringList& files, const QString& path) {
    const auto& parser = run.parser;
    const auto result = headsOf(parser, files, readNumber(parser, "batch", 0, std::numeric_limits<int>::max()));
    const auto drawing = dotsOf(*result, figureFor(parser, "x", *result), figureFor(parser, "y", *result));
    auto options = readFigureOptions(parser);
    options.keeps_inputs = false;
    writeFigure(path, Figure(std::make_shared<const DotsDrawing>(drawing)), options);
    noteStyle(options, run.suffix);
}

} // namespace attnlab::app
