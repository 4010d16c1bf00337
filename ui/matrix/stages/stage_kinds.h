// What a stage is, told by its axes alone.
#pragma once

#include "core/attention.h"
#include "ui/document/view_state.h"
#include "ui/drawing/colormap.h"

namespace attnlab::ui {

bool hasAxis(const Stage& stage, Axis axis);
/// True when the last two axes are these.
bool endsWithAxes(const Stage& stage, Axis rows, Axis columns);

/// `head` if the trace has it, the last head otherwise; MeanOfHeads stays.
int headWithin(const Trace& trace, int head);

/// The stage whose maps the heads are compared by: the chosen one when it has a query-key map for each head, else the
/// weights. Null when there is neither.
const Stage* headMapStage(const Trace& trace, const QString& chosen);

/// The weights of the pass that a stage belongs to; of the first layer for a stage that stands between passes. Null
/// where there are none.
const Stage* weightsBeside(const Trace& trace, const Stage* stage);

/// The colours of a stage that is on show next to the chosen one: a locked range belongs to the chosen stage alone.
ColorScale thumbnailScale(const Trace& trace, const Stage& stage, int batch, const ViewState& view);

} // namespace attnlab::ui
