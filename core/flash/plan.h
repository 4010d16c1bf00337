// Divides a forward into the units of work of threads.
#pragma once

#include "core/flash/panel_mask.h"

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

} // namespace attnlab::flash
