// Finds the outputs that change when one token is edited: the test of a mask.
#pragma once

#include "core/lab/scene.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace attnlab::lab {

/// What a token that is replaced does to the outputs.
struct TokenEffect {
    /// The maximum change of each row of `output` (and `head_output` where there are heads) over batches, heads and
    /// features. Infinite where a number becomes NaN or infinite.
    std::vector<double> moved;
    /// The row of the token itself, where its query was replaced as well; nullopt: no query was.
    std::optional<std::int64_t> own;
    /// How far that row moves while its query stays, hence by what it reads; nullopt where the mechanism makes queries
    /// and keys of one input, so that they cannot be replaced one by one.
    std::optional<double> own_by_reading;
};

/// Replaces token `token` (negative: from the end): its row of x, or its rows of key and value, and of query where
/// queries and keys are the same tokens (of equal number, without labels or context of their own). `precision` is that
/// of the setting: a change that is 0 in float32 may be tiny in float64. Throws Error for a token out of range or
/// inputs without such rows, and as in_float32().
TokenEffect effect_of_token(const AttentionProblem& problem, std::int64_t token, const RunControl& control = {},
                            Precision precision = Precision::Float64);

} // namespace attnlab::lab
