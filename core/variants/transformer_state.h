// The weights of torch.nn.Transformer: equal layers stacked along a new first axis.
#pragma once

#include "core/attention.h"

namespace attnlab {

/// Stacks the separate tensors of a state_dict: encoder.layers.0.linear1.weight, encoder.layers.1.linear1.weight, ...
/// (each of one shape) become encoder.layers.linear1.weight with the layer as its first axis; the same for
/// decoder.layers. Throws Error naming the tensor where a layer lacks one or its shape differs from the first layer's.
void adopt_torch_transformer(TensorMap& tensors);

/// Layer `index` of a stack.
Tensor layer_of(const Tensor& stack, std::int64_t index);

} // namespace attnlab
