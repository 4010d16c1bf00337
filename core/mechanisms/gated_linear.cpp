// Gated linear attention: each token decides how much of the state it keeps.
#include "core/mechanisms/shared/carried_state.h"

namespace attnlab {
namespace {

const Input inputs[] = {sequence_query_input, sequence_key_input, sequence_value_input,
                        gate_input,           log_gate_input,     carried_output_gradient};

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    auto recurrence = recurrence_of(problem);
    recurrence.kept = kept_of(problem);
    return carried_trace(problem, recurrence,
                         {.weights = {ATTNLAB_TEXT("× what the gates keep")},
                          .formula = "a_ij = c Σ_e q_ie k_je Π_l f_le, l = j+1 … i",
                          .state_formula = "Sₜ = diag(fₜ) Sₜ₋₁ + kₜ vₜᵀ"},
                         control);
}

ScoreCode code(const ResolvedProblem& problem) { return carried_code(problem, kept_code_of_gates(problem), false); }

} // namespace

Mechanism gated_linear_mechanism() {
    return carried_mechanism(
        {.id = "gated_linear",
         .place = 21,
         .title = ATTNLAB_TEXT("Gated linear attention"),
         .formula = "a_ij = c Σ_e q_ie k_je Π_{l=j+1..i} f_le;  S_t = diag(f_t) S_{t−1} + k_t v_tᵀ,  o_t = c S_tᵀ q_t",
         .help =
             ATTNLAB_TEXT("Each token has a gate f between 0 and 1 that decides how much of the state it keeps, as one "
                          "number (Mamba-2) or one for each feature (GLA). A gate near 0 clears the state, so a text "
                          "can forget at its own places instead of at a fixed rate."),
         .source = "Dao, Gu 2024, Transformers are SSMs (Mamba-2), section 4; Yang et al. 2023, Gated Linear Attention "
                   "Transformers, section 4",
         .inputs = inputs,
         .run = run,
         .check_values = check_gates,
         .code = code,
         .drawn =
             {R"(\begin{aligned} a_{ij} &= c \sum_e q_{ie}\, k_{je} \prod_{l=j+1}^{i} f_{le} \quad (j \le i) \\)"
              R"( S_t &= \mathrm{diag}(f_t)\, S_{t-1} + k_t v_t^{\mathsf{T}} \quad\; \mathrm{output}_t = c\,)"
              R"( S_t^{\mathsf{T}} q_t \end{aligned})",
              "a_ij = c Σ_e q_ie k_je Π_{l=j+1..i} f_le for j ≤ i; S_t = diag(f_t) S_{t−1} + k_t v_tᵀ, output_t = c "
              "S_tᵀ q_t"},
         .look_for =
             ATTNLAB_TEXT("Set the gate of one token to −20: its row and all later ones read nothing before it, and "
                          "state_norm falls. With all gates at 20 nothing fades. Mamba-2 calls the query C, the "
                          "key B, and x dt the value.")});
}

} // namespace attnlab
