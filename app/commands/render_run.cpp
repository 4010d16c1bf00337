#include "app/commands/render_run.h"

#include "app/figure_choices.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "core/io/saved/workspace_file.h"
#include "core/lookup.h"
#include "ui/document/local_files.h"
#include "ui/matrix/stages/stage_matrix.h"

#include <algorithm>
#include <QJsonDocument>
#include <QJsonObject>
#include <utility>

namespace attnlab::app {

using namespace attnlab::ui;

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

void noteOnce(const RenderRun& run, const FigureOptions& options, const FigureOrigin& origin) {
    if (!std::exchange(run.has_noted, true))
        noteInputs(options, origin, run.suffix);
}

FigureOptions figureOf(const Shown& shown, bool same_stage) {
    FigureOptions options;
    setColors(options, shown.colors);
    figureFromJson(QJsonDocument::fromJson(shown.figure.toUtf8()).object(), options, same_stage);
    if (!same_stage)
        options.low = options.high = std::nullopt;
    return options;
}

FigureOptions figureLike(const QCommandLineParser& parser, const std::optional<Shown>& shown) {
    const bool same_stage = !shown || !parser.isSet("stage") || parser.value("stage") == shown->stage;
    return readFigureOptions(parser, shown ? figureOf(*shown, same_stage) : FigureOptions());
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

std::vector<const Stage*> findStages(const QCommandLineParser& parser, const Trace& trace,
                                     const std::optional<Shown>& shown) {
    if (!parser.isSet("stage")) {
        if (!readWeightsView(parser).empty())
            if (const Stage* view = stageToShow(trace, "view"))
                return {view};
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

QString nameOfHead(int head) {
    return head == ViewState::mean_of_heads ? QStringLiteral("mean") : QString::number(head);
}

} // namespace attnlab::app
