// The encoder-decoder of "Attention Is All You Need", computed stage by stage.
#pragma once

#include "core/attention.h"
#include "core/resolved_problem.h"

namespace attnlab {

/// `problem` has the stacked weights that transformer declares (core/mechanisms/transformer.cpp). Stages: positions,
/// encoder.input, encoder.I.self.* (the stages of multi-head attention), encoder.I.attended, .feed_forward, .output,
/// memory, decoder.input, decoder.I.self.*, decoder.I.cross.*, ..., output (B,L,D), logits and probabilities (B,L,V).
/// Throws Error, Cancelled.
Trace run_transformer(const ResolvedProblem& problem, const RunControl& control);

// The weights of torch.nn.Transformer: equal layers stacked along a new first axis.

/// Stacks the separate tensors of a state_dict: encoder.layers.0.linear1.weight, encoder.layers.1.linear1.weight, ...
/// (each of one shape) become encoder.layers.linear1.weight with the layer as its first axis; the same for
/// decoder.layers. Throws Error naming the tensor where a layer lacks one or its shape differs from the first layer's.
void adopt_torch_transformer(TensorMap& tensors);

/// Layer `index` of a stack.
Tensor layer_of(const Tensor& stack, std::int64_t index);

} // namespace attnlab
