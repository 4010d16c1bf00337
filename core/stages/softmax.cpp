#include "core/stages/softmax.h"

#include <cmath>
#include <limits>

namespace attnlab {

SoftmaxResult softmax_rows(const Tensor& scores) {
    Shape row_shape = scores.shape();
    const auto columns = row_shape.back();
    row_shape.pop_back();
    SoftmaxResult result{Tensor(scores.shape()), Tensor(row_shape)};
    const auto weights = result.weights.mutable_values();
    const auto lse = result.lse.mutable_values();
    const auto all = scores.values();

    for (std::size_t row = 0; row < lse.size(); ++row) {
        const auto first = row * static_cast<std::size_t>(columns);
        const auto s = all.subspan(first, static_cast<std::size_t>(columns));
        const auto a = weights.subspan(first, static_cast<std::size_t>(columns));

        double m = -std::numeric_limits<double>::infinity();
        for (const double value : s)
            m = value > m || std::isnan(value) ? value : m;
        if (m == -std::numeric_limits<double>::infinity()) {
            lse[row] = m; // every key blocked: the weights stay 0
            continue;
        }
        double sum = 0.0;
        for (std::size_t j = 0; j < s.size(); ++j)
            sum += a[j] = std::exp(s[j] - m);
        for (double& weight : a)
            weight /= sum;
        lse[row] = m + std::log(sum);
    }
    return result;
}

} // namespace attnlab
