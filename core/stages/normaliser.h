// Normalisers: how a row of masked scores becomes weights.
#pragma once

#include "core/attention.h"
#include "core/drawn_formula.h"
#include "core/parameter.h"
#include "core/resolved_problem.h"
#include "core/stages/mask.h"
#include "core/statistics.h"

#include <optional>
#include <span>
#include <string_view>

namespace attnlab {

/// The number that a normaliser keeps for each row besides the weights, as a stage (B,H,L).
enum class RowNumber {
    None,
    Lse,       ///< the logarithm of the sum of exponentials
    Threshold, ///< what is subtracted from each score
};

/// What core/code writes for a normaliser. <m> is the stage or cell of the masked scores, <S> the number of keys,
/// <plus_bias> "+ b" with its sign, <descending> the sorted row, and <name> the value of the parameter `name`.
struct NormaliserCode {
    /// Lines of NumPy that make `weights`.
    std::string_view python = {};
    /// a_ij, and the line that defines its threshold, or nothing. <m_k> is <m> with j' for j.
    std::string_view latex = {}, latex_of_row = {};
};

/// One row of the table. z is a row of `masked` with S numbers, including blocked cells and appended keys. A cell of
/// -inf is absent and has weight 0; a row of -inf alone has weights 0. NaN, and an infinite largest score, make weights
/// NaN where the formula has no value.
struct Normaliser {
    std::string_view id;
    const char* title;        ///< translated, unless it is a name of mathematics
    std::string_view formula; ///< plain text, from m_ij to a_ij
    DrawnFormula drawn;       ///< resources/formulas/normaliser_<id>.svg
    const char* help;         ///< two or three sentences (translated)
    std::string_view source;
    std::span<const Parameter> parameters = {}; ///< at most one, written after a colon on the command line
    const char* row_sums = nullptr;             ///< what a row sums to (translated); null where that is 1
    /// What the page Steps says of a row (translated): %1 is the sum of its weights, %2 the number of weights above 0,
    /// %3 the number of keys. Null for softmax, whose steps the page shows.
    const char* step_text = nullptr;
    RowNumber number = RowNumber::None;
    std::string_view number_formula = {}; ///< plain text of the stage with the row's number
    /// Writes the weights, which start as 0, and returns the row's number, if it has one.
    double (*weigh)(std::span<const double> z, std::span<double> weights, const ParameterValues&);
    /// The derivatives of a loss with respect to z from those with respect to the weights; null where gradients are
    /// not defined. `by_z` starts as 0.
    void (*back)(std::span<const double> z, std::span<const double> weights, std::span<const double> by_weights,
                 std::span<double> by_z, const ParameterValues&) = nullptr;
    /// The Frobenius norm of the derivative of the weights with respect to z.
    double (*jacobian_norm)(std::span<const double> z, std::span<const double> weights, const ParameterValues&);
    NormaliserCode code;
};

/// softmax comes first.
std::span<const Normaliser> normalisers();
/// The row of a choice; softmax for an empty id. Throws Error that names the known ids.
const Normaliser& normaliser_of(const Selection& chosen);

/// Reads "entmax:1.3". softmax has an empty id. Throws Error.
Selection parse_normaliser(std::string_view text);

/// The spec's choice with its parameters; those that depend on the number of keys stay open. An empty id for softmax
/// and for entmax:1, which is the same; entmax:2 is sparsemax. Throws Error.
Selection effective_normaliser(const AttentionSpec& spec);

/// `masked` (B,H,L,S) -> weights (B,H,L,S), and the number of each row (B,H,L) where there is one.
struct NormalisedRows {
    Tensor weights;
    std::optional<Tensor> numbers;
};
NormalisedRows normalised_rows(const Tensor& masked, const Selection& normaliser, const RunControl& control = {});

/// The statistics of a row of weights whose scores were `masked`, with another normaliser or a decay. The entropy is
/// that of the weights over their sum: 0 for a row of zeros, NaN for one with a negative weight. The Jacobian is that
/// of the normaliser, before a decay; `are_scaled`: times the factor after it.
RowStatistics statistics_of(std::span<const double> weights, std::span<const double> masked,
                            const Selection& normaliser, bool are_scaled = false);

/// True for stick_breaking and for a decay: they leave out keys after the query, or also its own, regardless of the
/// masks.
bool implies_order(const AttentionSpec& spec);

/// The keys that the order keeps, where implies_order(): those up to the query's position, or before it.
Band band_of_order(const AttentionSpec& spec);

/// The inputs that an order of keys reads.
std::span<const Input> inputs_of_order(const AttentionSpec& spec);

/// The cells that are left out for this reason as Bool (B,H,L,S + appended), True where left out; shape (0): none. The
/// appended keys have no position and stay.
Tensor cells_out_of_order(const ResolvedProblem& problem, std::int64_t appended, const RunControl& control = {});

} // namespace attnlab
