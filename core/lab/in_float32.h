// The result of a program that computes in float32: -1e9 added to a score of 3 gives -1e9.
#pragma once

#include "core/attention.h"

namespace attnlab::lab {

/// `trace` with its stages from `scaled` on recomputed with float32 additions, multiplications and exponentials: bias,
/// masks and fill, softmax, lse, output. Throws Error where the trace has no pass scaled -> masked -> weights -> output
/// that can be recomputed (an approximation, a transformer).
Trace in_float32(Trace trace, const AttentionSpec& spec);

} // namespace attnlab::lab
