#include "ui/matrix/stages/stage_kinds.h"

#include "ui/matrix/slice.h"
#include "ui/matrix/stages/stage_colors.h"

#include <algorithm>

namespace attnlab::ui {

bool hasAxis(const Stage& stage, Axis axis) {
    return std::find(stage.axes.begin(), stage.axes.end(), axis) != stage.axes.end();
}

bool endsWithAxes(const Stage& stage, Axis rows, Axis columns) {
    const auto count = stage.axes.size();
    return count >= 2 && stage.axes[count - 2] == rows && stage.axes[count - 1] == columns;
}

int headWithin(const Trace& trace, int head) { return std::min(head, sizeOf(trace).heads - 1); }

const Stage* headMapStage(const Trace& trace, const QString& chosen) {
    const auto maps = [](const Stage* stage) {
        return stage && stage->role != StageRole::Mask && hasAxis(*stage, Axis::Head) &&
               endsWithAxes(*stage, Axis::Query, Axis::Key);
    };
    const Stage* stage = trace.find(chosen.toStdString());
    if (maps(stage))
        return stage;
    const Stage* weights = weightsBeside(trace, stage);
    return weights && hasAxis(*weights, Axis::Head) && weights->value.rank() == 4 ? weights : nullptr;
}

const Stage* weightsBeside(const Trace& trace, const Stage* stage) {
    const Stage* weights = stage ? trace.beside(*stage, "weights") : nullptr;
    if (!weights)
        weights = trace.find("weights");
    return !weights && !trace.layers.empty() ? trace.find(trace.layers.front()) : weights;
}

ColorScale thumbnailScale(const Trace& trace, const Stage& stage, int batch, const ViewState& view) {
    ColorChoice choice = view.colors();
    if (view.stage().toStdString() != stage.name)
        choice.locked = false;
    return scaleFor(trace, stage, batch, choice);
}

} // namespace attnlab::ui
