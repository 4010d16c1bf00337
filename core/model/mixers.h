// What reads other tokens without attention: convolutions, state spaces and the delta rule.
#pragma once

#include "core/model/weight_products.h"

namespace attnlab::model {

/// What such a layer of a block makes of all positions, from the first one on. Throws Cancelled.
Matrix mix_without_attention(const Block& block, const Matrix& x, const RunControl& control);

/// What stands beside the heads of an attention that reads `x`; `query`: (positions, width of all heads).
Matrix span_convolution(const SpanConvolution& form, const Matrix& x, const Matrix& query, std::int64_t heads,
                        const RunControl& control);

} // namespace attnlab::model
