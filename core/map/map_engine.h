// Interface of a device that may compute the maps of a head instead of the CPU, and keeps its queries and keys.
#pragma once

#include "core/flash/flash_forward.h"
#include "core/map/attention_map.h"

namespace attnlab {

/// The numbers that convert scores to weights, one for each row of a head: see ScoreTile.
struct RowScales {
    const float* base = nullptr;
    const float* log2_sum = nullptr;
    const float* factor = nullptr;
};

/// One head on a device. Thread-safe. Functions throw Error, Cancelled.
class MapHead {
public:
    virtual ~MapHead() = default;
    /// Natural logarithm, one for each row; -inf for a row that reads nothing.
    virtual std::vector<float> lse(const RunControl& control) const = 0;
    /// As in AttentionMap, for valid rectangles and bins. `rows` has the scales of all rows of the head.
    virtual void weights(const CellRect& cells, const RowScales& rows, float* out, bool log2,
                         const RunControl& control) const = 0;
    virtual MapBins pool(const BinGrid& grid, const RowScales& rows, bool sums, const RunControl& control) const = 0;
    /// The name of what computed last; empty before.
    virtual std::string kernel() const = 0;
};

class MapEngine {
public:
    virtual ~MapEngine() = default;
    /// For the status bar, as Backend::title.
    virtual std::string title() const = 0;
    /// `head` has one batch entry and one head; its masks must outlive the result. Null without a suitable kernel.
    /// Throws Error when the device fails or has no memory.
    virtual std::unique_ptr<const MapHead> open(const flash::Problem& head) const = 0;
};

} // namespace attnlab
