// Attention without a softmax, both ways: as the matrix A with output = A V, and as a state that is carried from token
// to token. Common to retention, gated linear attention and the delta rules.
#pragma once

#include "core/inputs.h"
#include "core/mechanisms.h"
#include "core/stages/gradients.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnlab {

/// The state S (E,Ev) of a head, from S_{-1} = 0:
///     R = diag(f_t) S_{t-1},  S_t = R + b_t k_t (v_t - Rᵀ k_t)ᵀ,  o_t = c S_tᵀ q_t,
/// where the term Rᵀ k_t is absent unless `erases`.
struct Recurrence {
    Tensor query;                  ///< (B,H,L,E), as the scale prepares it
    Tensor key;                    ///< (B,Hkv,L,E)
    Tensor value;                  ///< (B,Hkv,L,Ev)
    double factor = 1.0;           ///< c
    Tensor kept = {};              ///< f (B,H,L) or (B,H,L,E); shape (0): 1
    Tensor written = {};           ///< b (B,H,L); shape (0): 1
    std::vector<bool> padded = {}; ///< (B,L): the token writes nothing; empty: none is
    bool erases = false;           ///< the value stored under the key is removed first

    std::int64_t B() const { return query.dim(0); }
    std::int64_t H() const { return query.dim(1); }
    std::int64_t L() const { return query.dim(2); }
    bool has_decay_of_heads() const { return kept.rank() == 3; } ///< f is one number for all features
};

/// Query, key and value of the problem, as its scale prepares them, with its factor and its padded keys.
Recurrence recurrence_of(const ResolvedProblem& problem);

/// prod_{l=j+1..i} f_l (B,H,L,L) of scalar f, 0 above the diagonal.
Tensor decay_of(const Recurrence& recurrence, const RunControl& control);

/// A (B,H,L,L). With P_ij = sum_e q_ie k_je prod_{l=j+1..i} f_le for j <= i, A = c P diag(b); for one that erases
/// A = c P (I + N)^{-1} diag(b), where N_ij = b_i times P_ij of k_i instead of q_i, for j < i (Yang et al. 2024,
/// 2406.06484, section 3). The column of a padded token is 0.
Tensor matrix_of(const Recurrence& recurrence, const RunControl& control);

/// A V over the tokens up to the row's own, without padded ones.
Tensor mixed_by(const Tensor& matrix, const Recurrence& recurrence, const RunControl& control);

/// The results of the recurrence, token by token.
struct Carried {
    Tensor output;       ///< (B,H,L,Ev): c S_tᵀ q_t
    Tensor norm;         ///< (B,H,L): the Frobenius norm of S_t
    Tensor state;        ///< (B,H,E,Ev): the last S_t
    Tensor chunk_states; ///< (chunks,B,H,E,Ev): S_t after each chunk; shape (0) for chunk 0
};
Carried carried_by(const Recurrence& recurrence, std::int64_t chunk, const RunControl& control);

/// The output (B,H,L,Ev) by chunks: inside a chunk by its own A, plus one read of the state before it, which is then
/// updated (2406.06484, section 3).
Tensor output_by_chunks(const Recurrence& recurrence, std::int64_t chunk, const RunControl& control);

/// What differs between the traces of these mechanisms.
struct CarriedTexts {
    Message weights;           ///< Stage::operation of `weights`, without the scale
    std::string formula;       ///< of A_ij
    std::string state_formula; ///< of S_t
    /// Factors (B,H,L) of the rows of A; null: 1.
    Tensor (*row_factors)(const Tensor& matrix, const Tensor& decay) = nullptr;
};

/// The stages query, key, value, scores, [decay], blocked, weights, output, [weights_mean], state_output, state_norm,
/// state, [chunk_states], [grad_output, ...]; what add_proof() adds; and the cost beside attention by softmax. Throws
/// Error, Cancelled.
Trace carried_trace(const ResolvedProblem& problem, const Recurrence& recurrence, const CarriedTexts& texts,
                    const RunControl& control);

/// Adds the stage state_output, the output that the state gives, and as a measure its largest difference from the
/// stage `output`, which is A V.
void add_proof(Trace& trace, Tensor by_state, std::string formula);

/// Adds a note on the sums of the rows of `weights` where they are not 1.
void note_row_sums(Trace& trace);

/// A row with what these mechanisms have in common.
Mechanism carried_mechanism(Mechanism row);

/// Throws Error where both gates are given, or log_gate has a number above 0.
void check_gates(const ResolvedProblem& problem);
/// f: the sigmoid of `gate`, or the exponential of `log_gate`.
Tensor kept_of(const ResolvedProblem& problem);
/// Uses the array `beta`, if given, as b.
void add_written(Recurrence& recurrence, const ResolvedProblem& problem);

/// The code of what is kept from token j to token i; empty where everything is.
struct KeptCode {
    std::string python = {};                 ///< lines that make `decay` (B,H,L,L), or (B,H,L,L,E) if it is of_features
    std::string latex = {};                  ///< the factor of cell (i,j), or of its feature e
    std::vector<ScoreCode::Line> lines = {}; ///< in LaTeX, before it is used
    bool of_features = false;
};
KeptCode kept_code_of_gates(const ResolvedProblem& problem);
/// The code of the matrix A.
ScoreCode carried_code(const ResolvedProblem& problem, const KeptCode& kept, bool erases);

inline constexpr Input sequence_query_input{.name = "query",
                                            .dims = "B H L E | B L E | L E",
                                            .starts_from = "x",
                                            .help = ATTNLAB_TEXT("One row a token: what it reads from the state")};
inline constexpr Input sequence_key_input{.name = "key",
                                          .dims = "B Hkv L E | B L E | L E",
                                          .remade_if_misfit = true,
                                          .starts_from = "context",
                                          .help = ATTNLAB_TEXT("One row a token: where it writes in the state")};
inline constexpr Input sequence_value_input{.name = "value",
                                            .dims = "B Hkv L Ev | B L Ev | L Ev",
                                            .remade_if_misfit = true,
                                            .starts_from = "value_context",
                                            .help = ATTNLAB_TEXT("One row a token: what it writes")};
inline constexpr Input gate_input{.name = "gate",
                                  .dims = "B H L E | B H L",
                                  .fill = InputFill::Draw,
                                  .fallback = "log_gate",
                                  .help =
                                      ATTNLAB_TEXT("How much of the state each token keeps, before the sigmoid: one "
                                                   "number a token, or one a feature")};
inline constexpr Input log_gate_input{.name = "log_gate",
                                      .dims = "B H L E | B H L",
                                      .fill = InputFill::Zeros,
                                      .required = false,
                                      .help =
                                          ATTNLAB_TEXT("Instead of gate: the logarithm of what is kept, at most 0")};
inline constexpr Input beta_input{.name = "beta",
                                  .dims = "B H L",
                                  .fill = InputFill::Ones,
                                  .required = false,
                                  .help = ATTNLAB_TEXT("How much of the old value each token replaces, usually 0 to 1; "
                                                       "without it 1")};

constexpr Parameter chunk_parameter() {
    return {.name = "chunk",
            .type = ParameterType::Integer,
            .default_text = "0",
            .title = ATTNLAB_TEXT("chunk"),
            .help =
                ATTNLAB_TEXT("Also computes the output by chunks of this many tokens, and shows the state after each "
                             "chunk; 0: off"),
            .minimum = 0,
            .maximum = 65536,
            .unit = "tokens"};
}
inline constexpr Parameter carried_parameters[] = {chunk_parameter(), gradients_parameter()};
inline constexpr Input carried_output_gradient = output_gradient_input("B H L Ev | B L Ev | L Ev");

} // namespace attnlab
