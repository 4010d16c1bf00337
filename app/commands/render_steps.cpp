#include "app/commands/render_steps.h"

#include "app/figure_choices.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "ui/document/view_state.h"
#include "ui/export/animation.h"
#include "ui/export/export.h"
#include "ui/export/formats.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/pages/step/step_drawing.h"

#include <algorithm>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <string_view>

namespace attnlab::app {

using namespace attnlab::ui;

namespace {

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

} // namespace

double readSeconds(const QCommandLineParser& parser) {
    bool ok = false;
    const double seconds = parser.value("seconds").toDouble(&ok);
    if (!ok || !(seconds >= 0.05 && seconds <= 60.0))
        throw UsageError("--seconds: has '" + parser.value("seconds").toStdString() + "', expected 0.05 to 60");
    return seconds;
}

void addStepOptions(CommandParser& parser) {
    parser.addOptions({{"steps", "One query's row step by step instead of a stage."},
                       {"query", "Of --steps and --view: which row.", "I", "0"},
                       {"key", "Of --steps: the key whose arithmetic is written out.", "J", "0"},
                       {"step", "Of --steps: the one that a picture shows.", "NAME"},
                       {"terms", "Of --steps: products one by one, sums and values key by key."},
                       {"seconds", "Of --steps and --view tiles: how long each is seen.", "T", "1.5"},
                       {"once", "Of --steps and --view tiles: stop at the end."}});
}

void checkStepOptions(const QCommandLineParser& parser, const QString& suffix) {
    if (!parser.isSet("steps")) {
        const bool is_animated = isAnimation(suffix) && parser.isSet("view");
        for (const std::string_view option : {"query", "key", "step", "terms", "seconds", "once"})
            if (parser.isSet(QLatin1String(option.data())) && !(option == "query" && parser.isSet("view")) &&
                !(is_animated && (option == "seconds" || option == "once")))
                throw UsageError("--" + std::string(option) + ": is for --steps, which is not given");
        if (is_animated)
            readSeconds(parser);
        return;
    }
    for (const auto& option : QStringList{"with", "row", "view"} + heatmapOptions())
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
    if (!parser.isSet("size") && !parser.isSet("style"))
        options.size_points = animation_points;
    if (!isAnimation(QFileInfo(out).suffix().toLower())) {
        drawing.step = steps[static_cast<std::size_t>(stepAt(steps, parser.value("step")))];
        ViewState view;
        view.setPage(QStringLiteral("steps"));
        view.setStage(QString::fromStdString(pass.prefix + "weights"));
        view.setBatch(batch);
        view.setHead(pass.head);
        view.setPinned(
            Cell{readNumber(parser, "query", 0, static_cast<int>(sizes[2]) - 1), static_cast<int>(drawing.key)});
        auto origin = originOf(problem, view);
        auto json = QJsonDocument::fromJson(QByteArray::fromStdString(origin.view_json)).object();
        json["steps"] = QJsonObject{{"step", parser.value("step")}, {"terms", drawing.by_terms}};
        origin.view_json = QJsonDocument(json).toJson(QJsonDocument::Compact).toStdString();
        writeFigure(out, Figure(std::make_shared<const StepDrawing>(drawing)), options, &origin);
        return;
    }
    AnimationOptions animation;
    animation.figure = options;
    animation.seconds = readSeconds(parser);
    animation.loop = !parser.isSet("once");
    writeAnimation(out, sequenceOf(drawing, steps), animation);
}

bool renderStepsAgain(const std::string& view_json, const AttentionProblem& problem, const Computed& result,
                      const FigureOptions& options, const QString& out) {
    const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(view_json)).object();
    const auto saved = json["steps"].toObject();
    ViewState view;
    viewFromJson(view_json, view);
    const TracePtr trace(std::shared_ptr<const Trace>(), &result.trace);
    StepPass pass;
    if (const Stage* weights = weightsBeside(*trace, trace->find(view.stage().toStdString())))
        pass.prefix = prefix_of(weights->name);
    pass.batch = view.batch();
    pass.head = view.head();
    if (!stepIds().contains(saved["step"].toString()) || !view.pinned() || !canWalk(*trace, pass))
        return false;
    const auto sizes = trace->find(pass.prefix + "weights")->value.shape();
    if (view.pinned()->row >= sizes[2] || view.pinned()->column >= sizes[3])
        return false;
    StepDrawing drawing;
    drawing.walk = RowWalk(trace, pass, view.pinned()->row);
    drawing.key = view.pinned()->column;
    drawing.by_terms = saved["terms"].toBool();
    const auto steps = drawing.walk.steps(drawing.by_terms);
    drawing.step = steps[static_cast<std::size_t>(stepAt(steps, saved["step"].toString()))];
    const FigureOrigin origin{problem, view_json};
    writeFigure(out, Figure(std::make_shared<const StepDrawing>(drawing)), options, &origin);
    return true;
}

} // namespace attnlab::app
