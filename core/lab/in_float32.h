// What a program that computes in float32 would show: -1e9 added to a score of 3 leaves -1e9.
#pragma once

#include "core/attention.h"

namespace attnlab::lab {

/// `trace` with its stages from `scaled` on computed anew as float32 numbers by float32 additions, multiplications and
/// exponentials: bias, masks and fill, softmax, lse, output. Throws Error where the trace has no pass of the form
/// scaled -> masked -> weights -> output for which that can be done (an approximation, a transformer).
Trace in_float32(Trace trace, const AttentionSpec& spec);

} // namespace attnlab::lab
