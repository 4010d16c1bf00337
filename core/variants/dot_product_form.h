// Mechanisms that are softmax(Q Kᵀ scale + masks) V once their queries, keys and values are made: what the reference
// and every other way to compute them start from.
#pragma once

#include "core/resolved_problem.h"

#include <optional>

namespace attnlab {

/// Rows as they are given, (B,H,L,E) or with fewer leading axes; or rows (B,L,D) or (L,D) times `weight` (D,heads*E)
/// plus `bias` (heads*E), cut into heads.
struct ProjectedRows {
    Tensor rows;
    std::optional<Tensor> weight = std::nullopt, bias = std::nullopt;
    std::int64_t heads = 1;
};

/// (B,H,L,E) in float64. Throws Error, Cancelled.
Tensor made(const ProjectedRows& projected, const RunControl& control);

struct DotProductForm {
    AttentionSpec spec; ///< whose scale, position and masks the pass has
    ProjectedRows query, key, value;
    bool appends_keys = false; ///< to those that are made from the rows
    bool drops_weights = false;
    bool concatenates = false;                          ///< the heads' outputs, into (B,L,H*Ev)
    std::optional<Tensor> output_weight = std::nullopt; ///< (H*Ev,Do), of the concatenation
    std::optional<Tensor> output_bias = std::nullopt;   ///< (Do)
    std::vector<Note> notes = {};                       ///< whoever computes it
};

/// The exact pass over what the form makes, where nothing else comes of it.
Trace attend_as(const DotProductForm& form, const ResolvedProblem& problem, const RunControl& control);

/// The stage `output` of a form that concatenates, from what the heads give (B,H,L,Ev).
Stage concatenated(const DotProductForm& form, const Tensor& head_output, const RunControl& control);

/// `problem` as one of scaled_dot_product that lacks its query, key and value: the form's spec, and the arrays that
/// scale, position and masks read.
ResolvedProblem without_own_arrays(const ResolvedProblem& problem, const DotProductForm& form);

/// The same attention as a problem of scaled_dot_product: `problem`, whose arrays for masks it keeps, with query, key
/// and value made in float64 and kept in float32 (B,H,L,E), but for rows that are taken as they are given. Without
/// values these are (.., S, 0). Appended keys, dropped weights and what follows the heads are left out. Throws Error,
/// Cancelled.
ResolvedProblem plain_problem(const ResolvedProblem& problem, const DotProductForm& form, bool with_values,
                              const RunControl& control);

} // namespace attnlab
