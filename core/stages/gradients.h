// The exact backward pass of softmax(scale(f(Q, K)) + M) V, in float64.
#pragma once

#include "core/attention.h"
#include "core/inputs.h"
#include "core/resolved_problem.h"
#include "core/stages/score.h"

namespace attnlab {

constexpr Parameter gradients_parameter() {
    return {.name = "gradients",
            .type = ParameterType::Boolean,
            .default_text = "false",
            .title = ATTNLAB_TEXT("gradients"),
            .help = ATTNLAB_TEXT("Adds the backward pass: the gradients of a loss with respect to weights, scores, "
                                 "queries, keys and values"),
            .aside = true};
}

/// The gradient of the loss with respect to `output`; it has the dims of the output.
constexpr Input output_gradient_input(std::string_view dims) {
    return {.name = "grad_output",
            .dims = dims,
            .fill = InputFill::Ones,
            .required = false,
            .when = "gradients=true",
            .help = ATTNLAB_TEXT("Gradient of the loss with respect to the output; without it the loss is the sum of "
                                 "the output")};
}

/// Off where the mechanism has no such parameter.
bool wants_gradients(const ParameterValues& parameters);

/// Throws Error for a scale that does not map each score alone (score_norm) and for a rounding, whose derivative is 0.
/// The spec is complete.
void check_gradients(const AttentionSpec& spec);

/// The problem's grad_output (B,H,L,Ev), or ones.
Tensor output_gradient(const ResolvedProblem& problem, const Shape& output);

/// Adds stages to the end of the trace of an exact pass: grad_<output>, grad_value, grad_weights, grad_masked,
/// grad_scores, grad_query and grad_key, the derivatives of a loss with respect to the stage of that name. `upstream`
/// (B,H,L,Ev) has the derivatives with respect to the output; `score` must have slopes. Keys and values that query
/// heads share get the sum over these heads. A cell whose fill replaces its score contributes nothing to `scores`; one
/// whose masked score is -inf contributes nothing at all, even if its value is NaN. With A = softmax(M), o =
/// D(A) V:
///   dV = D(A)ᵀ dO,  dA = D(dO Vᵀ),  dM_ij = a_ij (dA_ij - Σ_k a_ik dA_ik),  and for dot products dQ = dS K,
///   dK = dSᵀ Q, else dq_i = Σ_j dS_ij ∂s_ij/∂q_i and dk_j = Σ_i dS_ij ∂s_ij/∂k_j.
/// Dao et al. 2022, FlashAttention, appendix B.2. Throws Error, Cancelled.
void add_gradients(Trace& trace, const ResolvedProblem& problem, const ScoreFunction& score, const Tensor& upstream,
                   const RunControl& control);

} // namespace attnlab
