// Divides a forward into work items for threads, and combines the partial results of rows that several items share.
#pragma once

#include "core/flash/flash_forward.h"
#include "core/flash/panel_mask.h"

#include <span>

namespace attnlab::flash {

/// Some query rows against some keys. Row L of a head is row 0 of the next one, where both read the same key head.
struct Block {
    std::int64_t batch = 0, head = 0, first_row = 0, rows = 0;
    std::int64_t part = 0; ///< index of the part of the keys
    Keys keys;
    double cells = 0.0; ///< upper bound of the cells read: running the longest first lets threads finish together
};

struct Plan {
    std::vector<Block> blocks;
    std::int64_t rows_of_a_block = 0;
    std::int64_t parts = 1; ///< number of parts of the keys; does not depend on the number of threads
    bool few_rows = false;  ///< too few for a panel: uses RowKernel
};

inline constexpr std::int64_t keys_of_a_tile = 128;

/// For panels of `width` rows; with at most `few` rows for RowKernel.
Plan plan_of(const Problem& problem, int width, int few, int threads);

/// The rows of a block from `row` on that fit into one panel, for its mask.
PanelRows panel_rows(const Block& block, std::int64_t row, int width);

// Merges the results of query rows over parts of the keys: with few rows and many keys, threads share the work by keys.

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
