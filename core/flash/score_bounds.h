// Which scores cannot be large. Where |q| |k| is small, no score is larger (Cauchy-Schwarz), and a softmax needs no
// maximum subtracted: Milakov & Gimelshein 2018 subtract it only so that nothing overflows.
#pragma once

#include "core/flash/forward.h"
#include "core/flash/layout_kernel.h"

#include <atomic>
#include <vector>

namespace attnlab::flash {

/// Of one forward. Threads may ask at the same time.
class ScoreBounds {
public:
    explicit ScoreBounds(const Problem& problem);

    /// Whether masks leave scores as they are or block them, and weights keep their size: else nothing is bounded.
    bool possible() const { return possible_; }

    /// No score of these query rows, one after the other from `row` of all on, is larger than this times the norm of
    /// its key. In base 2; NaN where a number is.
    float of_queries(std::int64_t row, std::int64_t count) const;

    /// Whether the scores of queries with such a bound and the keys of a tile are within bounded_scores, and the
    /// values of the tile are such as bounded scores allow. `head` is a key head of all batches.
    bool hold(float of_queries, std::int64_t head, std::int64_t tile) const;

private:
    float longest(const float* rows, std::int64_t count) const;
    float of_tile(std::int64_t head, std::int64_t tile) const;

    const Problem& problem_;
    const LayoutKernel layout_;
    const bool possible_;
    const std::int64_t tiles_;
    /// Of each head and tile the largest norm of a key, or infinity where a value is out of range; unknown before
    /// somebody asks. Who asks next to each other finds the same.
    mutable std::vector<std::atomic<float>> of_tiles_;
};

} // namespace attnlab::flash
