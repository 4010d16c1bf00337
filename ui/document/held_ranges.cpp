#include "ui/document/held_ranges.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab::ui {

void ValueRange::include(double value) {
    if (!std::isfinite(value))
        return;
    low = empty ? value : std::min(low, value);
    high = empty ? value : std::max(high, value);
    if (value > 0.0 && (smallest_positive == 0.0 || value < smallest_positive))
        smallest_positive = value;
    empty = false;
}

void ValueRange::include(std::span<const double> values) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double least = infinity, largest = -infinity, positive = infinity;
    for (const double value : values) {
        const bool counts = std::abs(value) < infinity; // not NaN either
        least = counts && value < least ? value : least;
        largest = counts && value > largest ? value : largest;
        positive = counts && value > 0.0 && value < positive ? value : positive;
    }
    for (const double end : {least, largest, positive})
        include(end);
}

void ValueRange::include(const ValueRange& other) {
    if (other.empty)
        return;
    include(other.low);
    include(other.high);
    if (other.smallest_positive > 0.0)
        include(other.smallest_positive);
}

const HeldRange* HeldRanges::find(std::string_view stage, int batch) const {
    const auto found = stages.find(stage);
    if (found == stages.end() || batch < 0 || batch >= static_cast<int>(found->second.batches.size()))
        return nullptr;
    const HeldRange& held = found->second.batches[static_cast<std::size_t>(batch)];
    return held.range.empty ? nullptr : &held;
}

} // namespace attnlab::ui
