// Decays: how much of a key is left at the position of a query.
#pragma once

#include "core/attention.h"
#include "core/drawn_formula.h"
#include "core/inputs.h"
#include "core/parameter.h"
#include "core/resolved_problem.h"

#include <span>
#include <string_view>

namespace attnlab {

/// The position of query i is p_i = i plus the query offset. A query reads the keys up to its position; masks cannot
/// add others. The stage `decay` is 1 at key p_i, falls towards the first key, and is 0 after p_i.
struct Decay {
    std::string_view id;
    const char* title;     ///< translated
    std::string_view rule; ///< plain text of the stage `decay`
    DrawnFormula drawn;    ///< resources/formulas/decay_<id>.svg
    const char* help;      ///< translated
    std::string_view source;
    std::span<const Parameter> parameters = {}; ///< at most one, written after a colon on the command line
    std::span<const Input> inputs = {};
    bool multiplies_weights = false; ///< the weights of the normaliser; else its logarithm is added to the scores
};

std::span<const Decay> decays();
/// Throws Error that names the known ids.
const Decay& decay_of(std::string_view id);

/// Reads "retention:0.9". Throws Error.
Selection parse_decay(std::string_view text);

/// The spec's decay with its parameters; those that depend on the head stay open. An empty id without one. Throws
/// Error.
Selection effective_decay(const AttentionSpec& spec);

/// Throws Error for an array that is missing or given twice in two forms, for a number out of its range, and for a
/// query that stands before the first key or after the last.
void check_decay(const ResolvedProblem& problem);

/// The stage `decay` and its logarithm; keys that the mechanism appended do not fade. The logarithm counts as 0 after
/// p_i.
struct DecayCells {
    Tensor factor;    ///< (B,H,L,S + appended); shape (0) without a decay
    Tensor logarithm; ///< (B,H,L,S)
};
/// Throws as check_decay, and Cancelled.
DecayCells decay_cells(const ResolvedProblem& problem, std::int64_t appended, const RunControl& control = {});

} // namespace attnlab
