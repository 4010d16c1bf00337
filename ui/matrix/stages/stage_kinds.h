// Classifies stages by their axes.
#pragma once

#include "core/attention.h"
#include "ui/document/view_state.h"
#include "ui/drawing/colormap.h"

namespace attnlab::ui {

bool hasAxis(const Stage& stage, Axis axis);
/// True when the last two axes are these.
bool endsWithAxes(const Stage& stage, Axis rows, Axis columns);

/// `head` if the trace has it, the last head otherwise; mean_of_heads stays.
int headWithin(const Trace& trace, int head);

/// The stage by whose maps heads are compared: the chosen one if it has a query-key map for each head, else the
/// weights. Null if there is neither.
const Stage* headMapStage(const Trace& trace, const QString& chosen);

/// The weights of the pass of a stage; of the first layer for a stage between passes. Null if there are none.
const Stage* weightsBeside(const Trace& trace, const Stage* stage);

/// The colours of a stage shown beside the chosen one: a locked range applies only to the latter.
ColorScale thumbnailScale(const Trace& trace, const Stage& stage, int batch, const ViewState& view);

} // namespace attnlab::ui
