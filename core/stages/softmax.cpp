#include "core/stages/softmax.h"

#include <cmath>
#include <limits>

namespace attnlab {

double softmax_row(std::span<const double> s, std::span<double> a) {
    double m = -std::numeric_limits<double>::infinity();
    for (const double value : s)
        m = value > m || std::isnan(value) ? value : m;
    if (m == -std::numeric_limits<double>::infinity())
        return m; // every key blocked: the weights stay 0
    double sum = 0.0;
    for (std::size_t j = 0; j < s.size(); ++j)
        sum += a[j] = std::exp(s[j] - m);
    for (double& weight : a)
        weight /= sum;
    return m + std::log(sum);
}

SoftmaxResult softmax_rows(const Tensor& scores) {
    Shape row_shape = scores.shape();
    const auto columns = static_cast<std::size_t>(row_shape.back());
    row_shape.pop_back();
    SoftmaxResult result{Tensor(scores.shape()), Tensor(row_shape)};
    const auto weights = result.weights.mutable_values();
    const auto lse = result.lse.mutable_values();
    for (std::size_t row = 0; row < lse.size(); ++row)
        lse[row] =
            softmax_row(scores.values().subspan(row * columns, columns), weights.subspan(row * columns, columns));
    return result;
}

} // namespace attnlab
