#pragma once

#include "core/tensor.h"

namespace attnlab {

struct SoftmaxResult {
    Tensor weights; ///< (B,H,L,S)
    Tensor lse;     ///< (B,H,L)
};

/// Row-wise: m = max_j s_j, l = sum_j exp(s_j - m), weights = exp(s_j - m) / l, lse = m + log l.
/// A row of -inf only has weights 0 and lse -inf.
SoftmaxResult softmax_rows(const Tensor& scores);

} // namespace attnlab
