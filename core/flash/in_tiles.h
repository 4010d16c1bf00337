// What every way to compute output and lse in tiles has in common: from a problem to plain queries, keys and values,
// and from the result to a trace.
#pragma once

#include "core/flash/forward.h"
#include "core/resolved_problem.h"

#include <functional>

namespace attnlab::flash {

struct TileResult {
    std::vector<float> output; ///< (B,H,L,Ev)
    std::vector<float> lse;    ///< (B,H,L)
};

/// `plain` is a problem of scaled_dot_product, whose arrays may be taken out of it. Its values are finite, and queries
/// and keys where `is_finite`.
using TileForward =
    std::function<TileResult(ResolvedProblem& plain, const Shape& shape, bool is_finite, const RunControl& control)>;

/// The stages lse and output, or what follows it, for a problem that refused_choice() has no objection to: what
/// `forward` makes of it in float32, and what float32 cannot do of far rows and odd values. Throws Error, Cancelled.
Trace in_tiles(const ResolvedProblem& problem, const RunControl& control, const TileForward& forward);

} // namespace attnlab::flash
