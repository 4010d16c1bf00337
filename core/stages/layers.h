// The other parts of a transformer: layer normalisation, the feed-forward part, sinusoidal positions.
#pragma once

#include "core/attention.h"

namespace attnlab {

/// (x - mean) / sqrt(variance + eps) * gain + shift, row by row; the variance is the population's. x (..., D), gain and
/// shift (D).
Tensor layer_norm(const Tensor& x, const Tensor& gain, const Tensor& shift, double eps);

enum class Activation {
    Relu, ///< max(0, x)
    Gelu, ///< x (1 + erf(x / √2)) / 2
};
Tensor activated(Tensor x, Activation activation);

/// (rows, width): sin(i / 10000^(c/width)) in even columns c, the cosine of the same angle in the next column.
Tensor sinusoidal_positions(std::int64_t rows, std::int64_t width);

/// a + b, of one shape.
Tensor sum_of(Tensor a, const Tensor& b);

} // namespace attnlab
