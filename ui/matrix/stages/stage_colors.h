// The common colour scale for all pictures of a stage.
#pragma once

#include "core/attention.h"
#include "ui/drawing/colormap.h"

namespace attnlab::ui {

/// The range of finite values of all heads of a batch without blocked cells, so that heads are comparable.
ValueRange rangeOf(const Trace& trace, const Stage& stage, int batch);

ColorScale scaleFor(const Trace& trace, const Stage& stage, int batch, const ColorChoice& choice);

/// A stage of one trace and one of another.
struct TwoStages {
    const Trace& a_trace;
    const Stage& a;
    const Trace& b_trace;
    const Stage& b;
};
/// One scale for both, whose shapes may differ.
ColorScale scaleForBoth(const TwoStages& stages, int batch, const ColorChoice& choice);

} // namespace attnlab::ui
