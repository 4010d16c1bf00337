// Merges the results of query rows over parts of the keys: with few rows and many keys, threads share the work by keys.
#pragma once

#include "core/flash/forward.h"

#include <span>

namespace attnlab::flash {

/// The running state of a row over some keys: see Tile.
struct RowState {
    float max = -std::numeric_limits<float>::infinity();
    float sum = 0.0f;
};

/// The natural logarithm of the sum of exp(score), for scores in base 2.
float lse_of(float max, double sum);

/// Different parts may be written by different threads.
class PartialResults {
public:
    /// For `rows` query rows, counted across all heads.
    PartialResults(std::int64_t rows, std::int64_t parts, std::int64_t Ev);

    RowState& state(std::int64_t part, std::int64_t row) { return states_[index(part, row)]; }
    /// (Ev), not divided by the sum; the rows of a part are contiguous.
    float* output(std::int64_t part, std::int64_t row) {
        return outputs_.data() + index(part, row) * static_cast<std::size_t>(Ev_);
    }

    /// Combines the parts of every row.
    void merge(double output_scale, const Result& result) const;

private:
    std::size_t index(std::int64_t part, std::int64_t row) const {
        return static_cast<std::size_t>(part * rows_ + row);
    }

    std::int64_t rows_, parts_, Ev_;
    std::vector<RowState> states_;
    std::vector<float> outputs_;
};

} // namespace attnlab::flash
