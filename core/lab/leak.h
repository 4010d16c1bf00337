// Which outputs move when one token is edited: what a mask must keep apart.
#pragma once

#include "core/lab/scene.h"

#include <cstdint>
#include <vector>

namespace attnlab::lab {

/// How far each row of `output` (and `head_output` where there are heads) moves, at most over batches, heads and
/// features, when token `token` (negative: from the end) is replaced by another one: its row of x, or its rows of key
/// and value, and of query where queries and keys are the same tokens (as many of them, with no labels or context of
/// their own). `precision` is that of the setting: what is 0 in float32 may be a trickle in float64. Infinite where a
/// number becomes none. Throws Error for a token that is not there or inputs that have no such rows, and as
/// in_float32().
std::vector<double> moved_outputs(const AttentionProblem& problem, std::int64_t token, const RunControl& control = {},
                                  Precision precision = Precision::Float64);

} // namespace attnlab::lab
