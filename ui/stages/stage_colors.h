// One colour scale for every picture of a stage.
#pragma once

#include "core/attention.h"
#include "ui/plot/colormap.h"

namespace attnlab::ui {

/// The finite values of all heads of a batch, blocked cells left out: heads on one scale can be compared.
ValueRange rangeOf(const Trace& trace, const Stage& stage, int batch);

ColorScale scaleFor(const Trace& trace, const Stage& stage, int batch, const ColorChoice& choice);

} // namespace attnlab::ui
