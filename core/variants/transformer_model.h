// The encoder-decoder of "Attention Is All You Need", computed stage by stage.
#pragma once

#include "core/resolved_problem.h"

namespace attnlab {

/// `problem` has the stacked weights that transformer declares (core/variants/transformer.cpp). Stages: positions,
/// encoder.input, encoder.I.self.* (those of multi-head attention), encoder.I.attended, .feed_forward, .output, memory,
/// decoder.input, decoder.I.self.*, decoder.I.cross.*, ..., output (B,L,D), logits and probabilities (B,L,V). Throws
/// Error, Cancelled.
Trace run_transformer(const ResolvedProblem& problem, const RunControl& control);

} // namespace attnlab
