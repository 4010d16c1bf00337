// Statistics of how attention is distributed, per row of weights.
#pragma once

#include "core/tensor.h"

#include <span>

namespace attnlab {

struct RowStatistics {
    double entropy = 0.0;        ///< -sum a log a in nats, 0 log 0 = 0
    double effective_keys = 0.0; ///< exp(entropy)
    double max_weight = 0.0;
    double jacobian_norm = 0.0; ///< Frobenius norm of diag(a) - a a^T: how much gradient the softmax passes on
};

/// NaN throughout when a weight is NaN.
RowStatistics row_statistics(std::span<const double> weights);

/// Means over the rows of a matrix; rows whose weights are all zero (fully masked) do not count.
RowStatistics mean_statistics(const MatrixView& weights);

struct Moments {
    double mean = 0.0;
    double variance = 0.0; ///< population variance
};

/// Over the finite values; {0, 0} when there are none.
Moments moments(std::span<const double> values);

} // namespace attnlab
