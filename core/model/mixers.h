// What reads other positions without attention: convolutions, also of sounds, state spaces and the delta rule.
#pragma once

#include "core/model/model.h"
#include "core/model/weight_products.h"

namespace attnlab::model {

/// What such a layer of a block makes of all positions, from the first one on. Throws Cancelled.
Matrix mix_without_attention(const Block& block, const Matrix& x, const RunControl& control);

/// What stands beside the heads of an attention that reads `x`; `query`: (positions, width of all heads).
Matrix span_convolution(const SpanConvolution& form, const Matrix& x, const Matrix& query, std::int64_t heads,
                        const RunControl& control);

/// A convolution along time of all rows. Throws Cancelled.
Matrix convolved_in_time(const TimeConvolution& form, const Matrix& x, const RunControl& control);
/// A row for each frame of a sound, before the projection.
Matrix frame_rows(const Frames& frames, const Sound& sound, const RunControl& control);

} // namespace attnlab::model
