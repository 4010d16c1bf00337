// Finds single numbers of a trace by batch, head, row and column.
#pragma once

#include "core/attention.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace attnlab::explain {

/// The number of query heads of a trace: the largest of its stages; at least 1.
int query_heads(const Trace& trace);

/// The number of a stage, whatever its axes: `row` and `column` index the last two, or the last one with column 0 where
/// a stage has one number a row. Where there is one number a row for each tile (or hashing round), tiles are the
/// columns; of one matrix a tile the last is used. A stage without batches or heads has the same number for all; query
/// heads that share a key head share its number. nullopt outside the stage.
std::optional<double> number_at(const Trace& trace, const Stage& stage, int batch, int head, std::int64_t row,
                                std::int64_t column);

/// The same cell of every query head.
struct HeadNumbers {
    std::vector<double> heads;
    double mean = 0.0; ///< the heads' sum in order, divided by their number, as in the stage `weights_mean`
};

/// nullopt outside the stage.
std::optional<HeadNumbers> over_heads(const Trace& trace, const Stage& stage, int batch, std::int64_t row,
                                      std::int64_t column);

} // namespace attnlab::explain
