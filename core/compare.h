// Compares two settings of the same inputs, A and B: B - A and its norms.
#pragma once

#include "core/attention.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab {

/// How far a is from b over some cells. Where both are the same infinity they differ by 0.
struct Gap {
    double max_absolute = 0.0;
    double mean_absolute = 0.0;
    std::int64_t cells = 0;    ///< cells that count: a - b is finite
    std::int64_t left_out = 0; ///< cells where exactly one of the two is finite, or neither is a number
};

Gap gap_over(std::span<const double> differences);

/// How far one distribution is from another, row by row: sum_j p_j log(p_j / q_j) in nats, 0 log 0 = 0.
struct RowDivergence {
    /// A number for each row: the stage's shape without its last axis. Infinite where q has a 0 and p has not; NaN
    /// where one of the two rows is not a distribution (negative, or its sum is not 1: a fully masked row).
    Tensor rows;
    double mean = 0.0;         ///< over the rows with a finite divergence; NaN when there are none
    std::int64_t finite = 0;   ///< the number of these rows
    std::int64_t infinite = 0; ///< rows where q has a 0 and p has not
};

/// The divergence of two rows of the same length. NaN when one is not a distribution.
double kl_divergence(std::span<const double> p, std::span<const double> q);
/// The divergences of the rows of two matrices of one shape; `rows` has shape (rows).
RowDivergence row_divergence(const MatrixView& p, const MatrixView& q, const RunControl& control = {});

struct Comparison {
    /// b - a, what changed from A to B, under the stage's name, with A's axes, role and labels.
    Stage difference;
    Gap all;
    std::vector<Gap> heads; ///< one for each head, over all batches; empty for a stage without heads
    /// KL(A || B) and KL(B || A); nullopt for a stage whose rows do not run over keys.
    std::optional<RowDivergence> a_from_b;
    std::optional<RowDivergence> b_from_a;
};

/// Compares the stage of that name. Throws Error when one trace has no such stage or the shapes differ;
/// Cancelled.
Comparison compare(const Trace& a, const Trace& b, std::string_view stage = "weights", const RunControl& control = {});

/// How far A's output is from B's.
struct OutputGap {
    double relative = 0.0; ///< Frobenius norm of the difference over that of B's output; infinite when B is all zeros
    double max_absolute = 0.0;
};

/// nullopt unless both have a stage `output` of the same shape with finite numbers.
std::optional<OutputGap> output_gap(const Trace& a, const Trace& b);

/// Settings to compare with: `spec` with one thing removed.
AttentionSpec without_scale(AttentionSpec spec);
AttentionSpec without_masks(AttentionSpec spec);
/// `spec` without its rounding, where it has one; else scaled dot-product attention of the same queries, keys and
/// values under the same masks and scale. nullopt when `spec` is that already or its mechanism does not read query, key
/// and value.
std::optional<AttentionSpec> exact_counterpart(const AttentionSpec& spec);

/// The problem of setting B: compared_with as its spec. Requires compared_with.
AttentionProblem compared_problem(const AttentionProblem& problem);
/// Adds the missing inputs of setting B where that leaves setting A as it is: an input that A would read too stays
/// missing, and the run of B reports it. Returns the names added. Throws Cancelled.
std::vector<std::string> complete_compared_inputs(AttentionProblem& problem, std::uint64_t seed,
                                                  const RunControl& control = {});
/// As outline_inputs(), for setting B.
std::vector<std::string> outline_compared_inputs(AttentionProblem& problem, std::uint64_t seed);

} // namespace attnlab
