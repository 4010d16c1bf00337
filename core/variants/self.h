// Self-attention's inputs and run, which causal self-attention shares.
#pragma once

#include "core/attention.h"
#include "core/inputs.h"

#include <span>

namespace attnlab {

std::span<const Input> self_inputs();
Trace run_self(const AttentionProblem& problem, const RunControl& control);

} // namespace attnlab
