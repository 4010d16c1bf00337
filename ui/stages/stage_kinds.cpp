#include "ui/stages/stage_kinds.h"

#include "ui/slice.h"

#include <algorithm>

namespace attnlab::ui {
namespace {

// Until all stages share one function for it.
ColorScale stageScale(const Trace& trace, const Stage& stage, int batch, const ColorChoice& choice) {
    ValueRange range;
    const int heads = hasAxis(stage, Axis::Head) ? sizeOf(trace).heads : 1;
    for (int head = 0; head < heads; ++head) {
        const auto data = sliceOf(trace, stage, batch, head);
        if (!data)
            continue;
        const auto view = data->view();
        for (std::int64_t i = 0; i < view.rows; ++i)
            for (std::int64_t j = 0; j < view.columns; ++j)
                if (!data->isBlocked(i, j))
                    range.include(view(i, j));
    }
    return colorScale(choice, range, isSigned(stage));
}

} // namespace

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
    const Stage* weights = trace.find("weights");
    return weights && hasAxis(*weights, Axis::Head) && weights->value.rank() == 4 ? weights : nullptr;
}

ColorScale thumbnailScale(const Trace& trace, const Stage& stage, int batch, const ViewState& view) {
    ColorChoice choice = view.colors();
    if (view.stage().toStdString() != stage.name)
        choice.locked = false;
    return stageScale(trace, stage, batch, choice);
}

} // namespace attnlab::ui
