// Bounds scores by norms: no score is larger than |q| |k| (Cauchy-Schwarz). Where that is small, a softmax needs no
// maximum subtracted, which Milakov & Gimelshein 2018 do only to avoid overflow.
#pragma once

#include "core/flash/flash_forward.h"
#include "core/flash/layout_kernel.h"

#include <atomic>
#include <vector>

namespace attnlab::flash {

/// For one forward. Thread-safe.
class ScoreBounds {
public:
    explicit ScoreBounds(const Problem& problem);

    /// True when masks keep scores unchanged or block them, and weights are not scaled; otherwise nothing is bounded.
    bool possible() const { return possible_; }

    /// A factor: no score of `count` query rows from `row` on (of all rows) exceeds it times the norm of its key. In
    /// base 2; NaN where a number is.
    float of_queries(std::int64_t row, std::int64_t count) const;

    /// True when the scores of queries with this bound and the keys of a tile are within bounded_scores, and the values
    /// of the tile are in the range that bounded scores allow. `head` is a key head of all batches.
    bool hold(float of_queries, std::int64_t head, std::int64_t tile) const;

private:
    float longest(const float* rows, std::int64_t count) const;
    float of_tile(std::int64_t head, std::int64_t tile) const;

    const Problem& problem_;
    const LayoutKernel layout_;
    const bool possible_;
    const std::int64_t tiles_;
    /// For each head and tile the largest norm of a key, or infinity where a value is out of range. Computed lazily;
    /// concurrent callers compute the same value.
    mutable std::vector<std::atomic<float>> of_tiles_;
};

} // namespace attnlab::flash
