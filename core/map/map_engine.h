// Where the maps of a head may be computed instead of on the cores of this machine: a device that keeps its queries and
// keys.
#pragma once

#include "core/flash/forward.h"
#include "core/map/attention_map.h"

namespace attnlab {

/// What turns scores into weights, one number for each row of a head: see ScoreTile.
struct RowScales {
    const float* base = nullptr;
    const float* log2_sum = nullptr;
    const float* factor = nullptr;
};

/// One head on a device. May be used from many threads. Calls throw Error, Cancelled.
class MapHead {
public:
    virtual ~MapHead() = default;
    /// Natural logarithm, one for each row; -inf for a row that reads nothing.
    virtual std::vector<float> lse(const RunControl& control) const = 0;
    /// As AttentionMap does, for rectangles and bins that are there. `rows` has the scales of all rows of the head.
    virtual void weights(const CellRect& cells, const RowScales& rows, float* out, bool log2,
                         const RunControl& control) const = 0;
    virtual MapBins pool(const BinGrid& grid, const RowScales& rows, bool sums, const RunControl& control) const = 0;
};

class MapEngine {
public:
    virtual ~MapEngine() = default;
    /// For the status bar, as Backend::title.
    virtual std::string title() const = 0;
    /// `head` has one batch entry and one head, and its masks outlive what comes back. Null where there is no kernel
    /// for it. Throws Error where the device fails or has no room.
    virtual std::unique_ptr<const MapHead> open(const flash::Problem& head) const = 0;
};

} // namespace attnlab
