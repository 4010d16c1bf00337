// The softmax of rows of scores, with their log of the sum of exponentials.
#pragma once

#include "core/tensor.h"

#include <span>

namespace attnlab {

struct SoftmaxResult {
    Tensor weights; ///< (B,H,L,S)
    Tensor lse;     ///< (B,H,L)
};

/// One row or a part of one: writes the weights, which start as 0, and returns the log of the sum of exponentials.
double softmax_row(std::span<const double> scores, std::span<double> weights);

/// Row-wise: m = max_j s_j, l = sum_j exp(s_j - m), weights = exp(s_j - m) / l, lse = m + log l.
/// A row of -inf only has weights 0 and lse -inf.
SoftmaxResult softmax_rows(const Tensor& scores);

} // namespace attnlab
