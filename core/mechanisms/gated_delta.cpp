// The gated delta rule: gates let the state fade, and the delta rule overwrites single keys.
#include "core/mechanisms/shared/carried_state.h"

namespace attnlab {
namespace {

const Input inputs[] = {sequence_query_input, sequence_key_input, sequence_value_input,   gate_input,
                        log_gate_input,       beta_input,         carried_output_gradient};

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    auto recurrence = recurrence_of(problem);
    recurrence.kept = kept_of(problem);
    recurrence.erases = true;
    add_written(recurrence, problem);
    return carried_trace(problem, recurrence,
                         {.weights = {ATTNLAB_TEXT("× what the gates keep, corrected by what later keys replaced")},
                          .formula = "A = c P (I + N)⁻¹ diag(b), p_ij = Σ_e q_ie k_je Π_l f_le, l = j+1 … i",
                          .state_formula = "Sₜ = R + bₜ kₜ (vₜ − Rᵀ kₜ)ᵀ, R = diag(fₜ) Sₜ₋₁"},
                         control);
}

ScoreCode code(const ResolvedProblem& problem) { return carried_code(problem, kept_code_of_gates(problem), true); }

} // namespace

Mechanism gated_delta_mechanism() {
    return carried_mechanism(
        {.id = "gated_delta",
         .place = 23,
         .title = ATTNLAB_TEXT("Gated delta rule"),
         .formula = "R = diag(f_t) S_{t−1},  S_t = R + b_t k_t (v_t − Rᵀ k_t)ᵀ,  o_t = c S_tᵀ q_t",
         .help =
             ATTNLAB_TEXT("Joins two ways to forget: gates clear the state at once, and the delta rule replaces the "
                          "value of a single key. Qwen3-Next has one gate a head and token, Kimi Linear one for each "
                          "feature; both alternate such layers with layers of softmax attention."),
         .source = "Yang et al. 2024, Gated Delta Networks, equation 10; Kimi Team 2025, Kimi Linear",
         .default_scale = "pre_norm",
         .inputs = inputs,
         .run = run,
         .check_values = check_gates,
         .code = code,
         .drawn = {R"(\begin{aligned} R &= \mathrm{diag}(f_t)\, S_{t-1} \quad\; S_t = R + b_t\, k_t \left( v_t -)"
                   R"( R^{\mathsf{T}} k_t \right)^{\mathsf{T}} \quad\; \mathrm{output}_t = c\, S_t^{\mathsf{T}} q_t \\)"
                   R"( A &= c\, P \left( I + N \right)^{-1} \mathrm{diag}(b) \quad\; P_{ij} = \sum_e q_{ie}\, k_{je})"
                   R"( \prod_{l=j+1}^{i} f_{le} \end{aligned})",
                   "R = diag(f_t) S_{t−1}, S_t = R + b_t k_t (v_t − Rᵀ k_t)ᵀ, output_t = c S_tᵀ q_t; A = c P (I + N)⁻¹ "
                   "diag(b), P_ij = Σ_e q_ie k_je Π_{l=j+1..i} f_le"},
         .look_for =
             ATTNLAB_TEXT("Compare it with the delta rule on the same inputs: rows read the same tokens, fading "
                          "with the distance. Hugging Face's Qwen3-Next is this with log_gate = g and the scale "
                          "pre_norm with t = √d.")});
}

} // namespace attnlab
