// The pass that all exact mechanisms share: scores -> scaled -> masked -> weights -> output.
#pragma once

#include "core/attention.h"
#include "core/resolved_problem.h"
#include "core/stages/score.h"

#include <functional>
#include <optional>
#include <vector>

namespace attnlab {

/// The result of a mechanism's own algorithm on `masked`, if it is not one softmax over each row followed by weights
/// times values.
struct Attended {
    Tensor weights;                       ///< (B,H,L,S)
    std::optional<Tensor> lse = {};       ///< (B,H,L); nullopt where a row of weights is not a single softmax
    std::optional<Tensor> threshold = {}; ///< (B,H,L), what the normaliser subtracts from a row, if it does
    std::optional<Tensor> output = {};    ///< (B,H,L,Ev), of the dropped weights, if any; nullopt: weights times values
    std::vector<Stage> stages = {};       ///< its own stages, placed before `weights`
    Message operation = {"softmax"};      ///< Stage::operation of the stage `weights`
    std::string formula = "a_ij = exp(m_ij) / Σ_k exp(m_ik)";
};

struct ExactInputs {
    Tensor query;                   ///< (B,H,L,E)
    Tensor key;                     ///< (B,Hkv,S,E')
    Tensor value;                   ///< (B,Hkv,S,Ev)
    std::int64_t appended_keys = 0; ///< the number of last keys (of S) that masks do not apply to
    /// The name of weights times values: "output", or "head_output" where more steps follow.
    std::string output_name = "output";
    bool always_mean = false; ///< add `weights_mean` also for a single head
    /// Bool (B,H,L,S), True where the mechanism itself never reads a cell: it is -inf regardless of the mask fill.
    /// Shape (0): all cells are read.
    Tensor unread = {};
    /// The gradient of the loss with respect to the output (B,H,L,Ev), where the problem asks for gradients; shape (0):
    /// the problem's.
    Tensor grad_output = Tensor({0});
    /// The mechanism's own algorithm from `masked` on; empty: normalised_rows.
    std::function<Attended(const Tensor& masked, const RunControl&)> attend = {};
};

/// The stages query, key, value, [rotated_query, rotated_key], scores, scaled, [position_bias], [blocked], masked,
/// weights, [lse or threshold], [weights_mean], [weights_dropped], output, [grad_output, ...],
/// [statistics], each in float64, and notes on anything unusual in them. The spec
/// of `problem` gives scale, position, masks and dropout; its tensors give their arrays. Rows are normalised by the
/// scale first and rotated by their position second, as in Qwen3; a position bias is added after the scale. Throws
/// Error, Cancelled.
Trace exact_attention(const ResolvedProblem& problem, const ExactInputs& inputs, const ScoreFunction& score,
                      const RunControl& control);

/// Labels of `keys` key tokens: the problem's, or the queries' where both are the same tokens, then "+1", "+2" for
/// `appended` more.
std::vector<std::string> key_labels(const ResolvedProblem& problem, std::int64_t queries, std::int64_t keys,
                                    std::int64_t appended = 0);

/// (B,H,L,S) x (B,Hkv,S,Ev) -> (B,H,L,Ev). A key whose `masked` (B,H,L,S) is -inf is not read, even if its value is
/// NaN; elsewhere 0 times NaN is NaN.
Tensor mix_values(const Tensor& weights, const Tensor& value, const RunControl& control,
                  const Tensor* masked = nullptr);

/// (B,H,L,S) -> (B,L,S).
Tensor mean_over_heads(const Tensor& weights);

/// Adds the stages row_sum, support, entropy, effective_keys, max_weight and jacobian_norm (B,H,L) of weights
/// (B,H,L,S). `masked` has the scores of a normaliser beside softmax. `are_scaled`: rows are multiplied by a factor
/// after softmax.
void add_statistics(Trace& trace, const Tensor& weights, const Selection& normaliser = {},
                    const Tensor* masked = nullptr, bool are_scaled = false);

} // namespace attnlab
