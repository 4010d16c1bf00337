// Layers that read earlier tokens without attention: convolutions, state spaces and the delta rule.
#pragma once

#include "core/model/weight_products.h"

namespace attnlab::model {

/// What such a layer of a block makes of all positions, from the first one on. Throws Cancelled.
Matrix mix_without_attention(const Block& block, const Matrix& x, const RunControl& control);

} // namespace attnlab::model
