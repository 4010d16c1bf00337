// What the matrix on show is called.
#pragma once

#include "core/attention.h"

#include <QString>

namespace attnlab::ui {

/// "weights · head 2": batch and head where the trace has several. `head` may be ViewState::MeanOfHeads.
QString stageTitle(const Trace& trace, const Stage& stage, int batch, int head);

} // namespace attnlab::ui
