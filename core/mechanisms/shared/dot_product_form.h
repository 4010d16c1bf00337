// Mechanisms that are softmax(Q Kᵀ scale + masks) V once their queries, keys and values are made: the common starting
// point of the reference and all other backends.
#pragma once

#include "core/resolved_problem.h"

#include <optional>

namespace attnlab {

/// Rows as given, (B,H,L,E) or with fewer leading axes; or rows (B,L,D) or (L,D) times `weight` (D,heads*E) plus `bias`
/// (heads*E), split into heads.
struct ProjectedRows {
    Tensor rows;
    std::optional<Tensor> weight = std::nullopt, bias = std::nullopt;
    std::int64_t heads = 1;
};

/// (B,H,L,E) in float64. Throws Error, Cancelled.
Tensor made(const ProjectedRows& projected, const RunControl& control);

struct DotProductForm {
    AttentionSpec spec; ///< with the scale, position and masks of the pass
    ProjectedRows query, key, value;
    bool appends_keys = false;                          ///< in addition to those made from the rows
    bool concatenates = false;                          ///< concatenates the heads' outputs into (B,L,H*Ev)
    std::optional<Tensor> output_weight = std::nullopt; ///< (H*Ev,Do), applied to the concatenation
    std::optional<Tensor> output_bias = std::nullopt;   ///< (Do)
    std::vector<Note> notes = {};                       ///< added by every backend
};

/// The exact pass over the form, if it has no further steps.
Trace attend_as(const DotProductForm& form, const ResolvedProblem& problem, const RunControl& control);

/// The stage `output` of a form that concatenates, from the head outputs (B,H,L,Ev).
Stage concatenated(const DotProductForm& form, const Tensor& head_output, const RunControl& control);

/// `problem` as one of scaled_dot_product without query, key and value: the form's spec, and the arrays of scale,
/// position and masks.
ResolvedProblem without_own_arrays(const ResolvedProblem& problem, const DotProductForm& form);

/// The same attention as a problem of scaled_dot_product: `problem` with its arrays for masks, and query, key and value
/// computed in float64 and stored in float32 (B,H,L,E), except rows used as given. Without values these are (.., S, 0).
/// Appended keys, dropped weights and steps after the heads are omitted. Throws Error, Cancelled.
ResolvedProblem plain_problem(const ResolvedProblem& problem, const DotProductForm& form, bool with_values,
                              const RunControl& control);

} // namespace attnlab
