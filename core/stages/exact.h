// The one pass that every exact mechanism takes: scores -> scaled -> masked -> weights -> output.
#pragma once

#include "core/attention.h"
#include "core/resolved_problem.h"
#include "core/stages/score.h"

#include <functional>
#include <optional>
#include <vector>

namespace attnlab {

/// What a schedule of its own makes of `masked`, where that is not one softmax over each row, then weights times
/// values.
struct Attended {
    Tensor weights;                    ///< (B,H,L,S)
    std::optional<Tensor> lse = {};    ///< (B,H,L); none where a row of weights is no single softmax
    std::optional<Tensor> output = {}; ///< (B,H,L,Ev); none: weights times values
    std::vector<Stage> stages = {};    ///< its own, which come before `weights`
    Message operation = {"softmax"};   ///< what the stage `weights` says of itself
    std::string formula = "a_ij = exp(m_ij − lse_i)";
};

struct ExactInputs {
    Tensor query;                   ///< (B,H,L,E)
    Tensor key;                     ///< (B,Hkv,S,E')
    Tensor value;                   ///< (B,Hkv,S,Ev)
    std::int64_t appended_keys = 0; ///< how many of the last S keys lie beyond the masks
    double dropout = 0.0;           ///< probability that a weight is set to 0; the rest is divided by 1 - dropout
    std::uint64_t dropout_seed = 0;
    /// What the weights times the values are called: "output", or "head_output" where more follows.
    std::string output_name = "output";
    bool always_mean = false; ///< add `weights_mean` with one head too
    /// Bool (B,H,L,S), True where the mechanism itself never reads a cell: -inf stands there whatever the mask fill.
    /// Shape (0): it reads every cell.
    Tensor unread = {};
    /// A schedule of its own from `masked` on; empty: softmax_rows.
    std::function<Attended(const Tensor& masked, const RunControl&)> attend = {};
};

/// The stages query, key, value, [rotated_query, rotated_key], scores, scaled, [position_bias], [blocked], masked,
/// weights, lse, [weights_mean], output, [statistics], each in float64, and notes on what is unusual in them. The spec
/// of `problem` gives scale, position and masks; its tensors give their arrays. Rows that the scale normalises are
/// normalised first and turned by their position second, as Qwen3 does; a bias of the position is added after the
/// scale. Throws Error, Cancelled.
Trace exact_attention(const ResolvedProblem& problem, const ExactInputs& inputs, const ScoreFunction& score,
                      const RunControl& control);

/// Labels of `keys` key tokens: the problem's, or the queries' where both are the same tokens, then "+1", "+2" for
/// `appended` more.
std::vector<std::string> key_labels(const ResolvedProblem& problem, std::int64_t queries, std::int64_t keys,
                                    std::int64_t appended = 0);

/// (B,H,L,S) x (B,Hkv,S,Ev) -> (B,H,L,Ev). Where `masked` (B,H,L,S) is -inf a key is not read, and its value does not
/// matter, NaN or not; 0 times NaN elsewhere is NaN.
Tensor mix_values(const Tensor& weights, const Tensor& value, const RunControl& control,
                  const Tensor* masked = nullptr);

/// (B,H,L,S) -> (B,L,S).
Tensor mean_over_heads(const Tensor& weights);

/// Adds the stages entropy, effective_keys, max_weight and jacobian_norm (B,H,L) of weights (B,H,L,S).
void add_statistics(Trace& trace, const Tensor& weights);

} // namespace attnlab
