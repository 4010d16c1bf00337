// A problem whose choices are complete and whose arrays fit: what mechanisms and backends compute.
#pragma once

#include "core/attention.h"
#include "core/inputs.h"

#include <string>
#include <vector>

namespace attnlab {

struct Variant;

/// What resolve() makes of a problem. Copying is cheap (see Tensor).
struct ResolvedProblem {
    const Variant* variant = nullptr;
    AttentionSpec spec;    ///< parameters, scale, position and masks have all their values
    ParameterValues given; ///< the variant's parameters that the problem says; the others have their defaults
    TensorMap tensors;     ///< those that are read, under the names that are declared
    Bindings sizes;        ///< B, H, L, S and all else that the declarations name
    std::vector<std::string> query_tokens, key_tokens; ///< as in AttentionProblem
};

/// Completes the spec, adopts the variant's other names of arrays, matches every array with its declaration and leaves
/// out those that nothing reads. What arrays of masks and positions hold is not looked at: check_masks() and
/// check_position() do that. Throws Error for a choice that is unknown, refused or out of range, for an array that is
/// missing or does not fit, and for what Variant::check_values says.
ResolvedProblem resolve(const AttentionProblem& problem);

/// The same as a problem that can be changed and resolved again. All its parameters count as given then.
AttentionProblem as_problem(const ResolvedProblem& resolved);

} // namespace attnlab
