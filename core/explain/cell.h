// Single numbers of a trace: where a stage holds the one of a batch, a head, a row and a column.
#pragma once

#include "core/attention.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace attnlab::explain {

/// How many query heads a trace has: the most that one of its stages has; at least 1.
int query_heads(const Trace& trace);

/// The number of a stage, whatever its axes are: `row` and `column` index the last two, or the last one and a column 0
/// where a stage has one number a row. A stage of one number a row for each tile (or round of hashing) has tiles for
/// columns, one of a matrix for each tile is its last. A stage without batches or heads has the same number for all;
/// query heads that share a key head have its number. Nothing outside the stage.
std::optional<double> number_at(const Trace& trace, const Stage& stage, int batch, int head, std::int64_t row,
                                std::int64_t column);

/// The same cell of every query head.
struct HeadNumbers {
    std::vector<double> heads;
    double mean = 0.0; ///< sum of each over their number, in order, as in the stage `weights_mean`
};

/// Nothing outside the stage.
std::optional<HeadNumbers> over_heads(const Trace& trace, const Stage& stage, int batch, std::int64_t row,
                                      std::int64_t column);

} // namespace attnlab::explain
