#pragma once

#include "core/attention.h"

namespace attnlab {

/// A steering of a part of the work, from `done` on, `share` of the whole. `control` outlives it.
inline RunControl part_of(const RunControl& control, double done, double share) {
    RunControl part = control;
    if (control.progress)
        part.progress = [&control, done, share](double fraction) { control.report(done + fraction * share); };
    return part;
}

} // namespace attnlab
