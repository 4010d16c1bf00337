// The delta rule: a key's old value is taken out of the state before the new one is written.
#include "core/mechanisms/shared/by_score.h"
#include "core/mechanisms/shared/carried_state.h"

namespace attnlab {
namespace {

const Input inputs[] = {sequence_query_input, sequence_key_input, sequence_value_input, beta_input,
                        carried_output_gradient};

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    auto recurrence = recurrence_of(problem);
    recurrence.erases = true;
    add_written(recurrence, problem);
    return carried_trace(problem, recurrence,
                         {.weights = {ATTNLAB_TEXT("corrected by what later keys replaced")},
                          .formula = "A = c P (I + N)⁻¹ diag(b), p_ij = q_i · k_j, n_ij = b_i k_i · k_j (j < i)",
                          .state_formula = "Sₜ = Sₜ₋₁ + bₜ kₜ (vₜ − Sₜ₋₁ᵀ kₜ)ᵀ"},
                         control);
}

ScoreCode code(const ResolvedProblem& problem) { return carried_code(problem, {}, true); }

} // namespace

Mechanism delta_rule_mechanism() {
    return carried_mechanism(
        {.id = "delta_rule",
         .place = 22,
         .title = ATTNLAB_TEXT("Delta rule"),
         .formula = "S_t = S_{t−1} + b_t k_t (v_t − S_{t−1}ᵀ k_t)ᵀ,  o_t = c S_tᵀ q_t;  A = c P (I + N)⁻¹ diag(b)",
         .help = ATTNLAB_TEXT(
             "Linear attention only adds to its state, so similar keys pile up. The delta rule first reads "
             "what the state holds for the key, then writes the difference from the new value: a key can "
             "be overwritten. As a matrix, this corrects the weights of earlier tokens."),
         .source =
             "Schlag et al. 2021, Linear Transformers Are Secretly Fast Weight Programmers, section 4.2; Yang et al. "
             "2024, Parallelizing Linear Transformers with the Delta Rule, section 3",
         .default_scale = "pre_norm",
         .inputs = inputs,
         .run = run,
         .check_values = check_output_gradient,
         .code = code,
         .drawn =
             {R"(\begin{aligned} S_t &= S_{t-1} + b_t\, k_t \left( v_t - S_{t-1}^{\mathsf{T}} k_t)"
              R"( \right)^{\mathsf{T}} \quad o_t = c\, S_t^{\mathsf{T}} q_t \\)"
              R"( A &= c\, P \left( I + N \right)^{-1} \mathrm{diag}(b) \\)"
              R"( P_{ij} &= q_i \cdot k_j \;\, (j \le i) \quad N_{ij} = b_i\, k_i \cdot k_j \;\, (j < i) \end{aligned})",
              "S_t = S_{t−1} + b_t k_t (v_t − S_{t−1}ᵀ k_t)ᵀ, o_t = c S_tᵀ q_t; A = c P (I + N)⁻¹ diag(b), P_ij = "
              "q_i · k_j for j ≤ i, N_ij = b_i k_i · k_j for j < i"},
         .look_for = ATTNLAB_TEXT(
             "Give two neighbouring tokens the same key: later queries read only the second value, and the weight "
             "of the first is 0. With beta = 0 a token writes nothing, with 1 it replaces the old "
             "value, with 2 it reflects it.")});
}

} // namespace attnlab
