// The encoder-decoder of "Attention Is All You Need", computed stage by stage.
#pragma once

#include "core/attention.h"

namespace attnlab {

/// `problem` is bound, with the stacked weights that transformer declares (core/variants/transformer.cpp) and complete
/// parameters. Stages: positions, encoder.input, encoder.I.self.* (those of multi-head attention), encoder.I.attended,
/// .feed_forward, .output, memory, decoder.input, decoder.I.self.*, decoder.I.cross.*, ..., output (B,L,D), logits and
/// probabilities (B,L,V). Throws Error, Cancelled.
Trace run_transformer(const AttentionProblem& problem, const ParameterValues& parameters, const RunControl& control);

} // namespace attnlab
