// A problem with complete choices and fitting arrays: the input of mechanisms and backends.
#pragma once

#include "core/attention.h"
#include "core/inputs.h"

#include <string>
#include <vector>

namespace attnlab {

struct Variant;

/// The result of resolve(). Copying is cheap (see Tensor).
struct ResolvedProblem {
    const Variant* variant = nullptr;
    AttentionSpec spec;    ///< parameters, scale, position and masks have all their values
    ParameterValues given; ///< the variant's parameters set by the problem; the others have their defaults
    TensorMap tensors;     ///< those that are read, under their declared names
    Bindings sizes;        ///< B, H, L, S and all other symbols of the declarations
    std::vector<std::string> query_tokens, key_tokens; ///< as in AttentionProblem
};

/// Completes the spec, adopts the variant's alternative array names, matches every array with its declaration and drops
/// unused arrays. The contents of masks and positions are not checked; see check_masks() and check_position(). Throws
/// Error for a choice that is unknown, refused or out of range, for an array that is missing or does not fit, and the
/// errors of Variant::check_values.
ResolvedProblem resolve(const AttentionProblem& problem);

/// Converts back to a problem that can be changed and resolved again. All its parameters then count as given.
AttentionProblem as_problem(const ResolvedProblem& resolved);

} // namespace attnlab
