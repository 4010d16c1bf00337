#include "ui/drawing/round_step.h"

#include <algorithm>
#include <cmath>

namespace attnlab::ui {

double roundStep(double least) {
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * (1.0 - 1e-9))
            return factor * power;
    return 10.0 * power;
}

std::int64_t wholeRoundStep(double least) { return std::llround(roundStep(std::clamp(least, 1.0, 1e9))); }

} // namespace attnlab::ui
