// Finds the outputs that change when one token is edited: the test of a mask.
#pragma once

#include "core/lab/scene.h"

#include <cstdint>
#include <vector>

namespace attnlab::lab {

/// The maximum change of each row of `output` (and `head_output` where there are heads) over batches, heads and
/// features, when token `token` (negative: from the end) is replaced: its row of x, or its rows of key and value, and
/// of query where queries and keys are the same tokens (of equal number, without labels or context of their own).
/// `precision` is that of the setting: a change that is 0 in float32 may be tiny in float64. Infinite where a number
/// becomes NaN or infinite. Throws Error for a token out of range or inputs without such rows, and as in_float32().
std::vector<double> output_changes(const AttentionProblem& problem, std::int64_t token, const RunControl& control = {},
                                   Precision precision = Precision::Float64);

} // namespace attnlab::lab
