// How a forward is cut into what a thread takes at a time.
#pragma once

#include "core/flash/panel_mask.h"

namespace attnlab::flash {

/// Some query rows against some keys. Row L of a head is row 0 of the next one, where both read the same key head.
struct Block {
    std::int64_t batch = 0, head = 0, first_row = 0, rows = 0;
    std::int64_t part = 0; ///< which of the parts of the keys
    Keys keys;
    double cells = 0.0; ///< how many are read, at most: longest first lets the threads finish together
};

struct Plan {
    std::vector<Block> blocks;
    std::int64_t rows_of_a_block = 0;
    std::int64_t parts = 1; ///< of the keys; does not depend on the number of threads
    bool few_rows = false;  ///< too few for a panel: for RowKernel
};

inline constexpr std::int64_t keys_of_a_tile = 128;

/// For panels of `width` rows, and at most `few` rows where there are fewer.
Plan plan_of(const Problem& problem, int width, int few, int threads);

/// The rows of a block from `row` on that one panel holds, as its mask sees them.
PanelRows panel_rows(const Block& block, std::int64_t row, int width);

} // namespace attnlab::flash
