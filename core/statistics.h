// Statistics of how attention is distributed, per row of weights.
#pragma once

#include "core/tensor.h"

#include <span>

namespace attnlab {

struct RowStatistics {
    double entropy = 0.0;        ///< -sum p log p in nats of the shares p = a / sum a, 0 log 0 = 0
    double effective_keys = 0.0; ///< exp(entropy)
    double max_weight = 0.0;
    /// Frobenius norm of diag(a) - a a^T: how much gradient the softmax passes on. NaN where a is not of a softmax: see
    /// are_shares().
    double jacobian_norm = 0.0;
    double sum = 0.0;
    double support = 0.0; ///< the number of weights that are not 0
};

/// NaN throughout when a weight is NaN; entropy, effective keys and Jacobian norm are NaN when one is negative.
RowStatistics row_statistics(std::span<const double> weights);

/// True if no weight is negative and they sum to 1. Weights rounded to half precision still do: within 0.01.
bool are_shares(std::span<const double> weights);

/// Means over the rows of a matrix; rows whose weights are all zero (fully masked) do not count. Entropy, effective
/// keys and Jacobian norm are NaN if another row is not a distribution, for which they have no meaning.
RowStatistics mean_statistics(const MatrixView& weights);

struct Moments {
    double mean = 0.0;
    double variance = 0.0; ///< population variance
};

/// Over the finite values; {0, 0} when there are none.
Moments moments(std::span<const double> values);

} // namespace attnlab
