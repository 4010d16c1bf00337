#include "core/stages/layers.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attnlab {

Tensor layer_norm(const Tensor& x, const Tensor& gain, const Tensor& shift, double eps) {
    Tensor result = x;
    const auto width = static_cast<std::size_t>(x.dim(-1));
    const auto values = result.mutable_values();
    for (std::size_t first = 0; first < values.size(); first += width) {
        const auto row = values.subspan(first, width);
        double mean = 0.0, variance = 0.0;
        for (const double value : row)
            mean += value / static_cast<double>(width);
        for (const double value : row)
            variance += (value - mean) * (value - mean) / static_cast<double>(width);
        const double deviation = std::sqrt(variance + eps);
        for (std::size_t c = 0; c < width; ++c)
            row[c] = (row[c] - mean) / deviation * gain.data()[c] + shift.data()[c];
    }
    return result;
}

Tensor activated(Tensor x, Activation activation) {
    for (double& value : x.mutable_values())
        value = activation == Activation::Relu ? (value < 0.0 ? 0.0 : value)
                                               : value * (1.0 + std::erf(value / std::numbers::sqrt2)) / 2.0;
    return x;
}

Tensor sinusoidal_positions(std::int64_t rows, std::int64_t width) {
    Tensor positions({rows, width});
    const auto out = positions.mutable_values();
    std::size_t next = 0;
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t c = 0; c < width; ++c) {
            const double exponent = static_cast<double>(c - c % 2) / static_cast<double>(width);
            const double angle = static_cast<double>(i) / std::pow(10000.0, exponent);
            out[next++] = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
        }
    return positions;
}

Tensor sum_of(Tensor a, const Tensor& b) {
    const auto out = a.mutable_values();
    for (std::size_t k = 0; k < out.size(); ++k)
        out[k] += b.values()[k];
    return a;
}

} // namespace attnlab
