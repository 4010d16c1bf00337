// The common part of all backends that compute output and lse in tiles: from a problem to plain queries, keys and
// values, and from the result to a trace.
#pragma once

#include "core/flash/flash_forward.h"
#include "core/resolved_problem.h"

#include <functional>

namespace attnlab::flash {

struct TileResult {
    std::vector<float> output; ///< (B,H,L,Ev)
    std::vector<float> lse;    ///< (B,H,L)
};

/// `plain` is a problem of scaled_dot_product whose arrays may be moved out. Its values are finite; so are queries and
/// keys where `is_finite`.
using TileForward =
    std::function<TileResult(ResolvedProblem& plain, const Shape& shape, bool is_finite, const RunControl& control)>;

/// The stages lse and output, and those after it, for a problem that unsupported_choice() accepts: the result of
/// `forward` in float32, with far rows and non-finite values corrected in float64. Throws Error, Cancelled.
Trace tiled_attention(const ResolvedProblem& problem, const RunControl& control, const TileForward& forward);

} // namespace attnlab::flash
