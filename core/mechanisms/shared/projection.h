// Linear projections and head axes, shared by the mechanisms that start from token embeddings.
#pragma once

#include "core/attention.h"

#include <cstdint>
#include <span>

namespace attnlab {

/// (L,D) -> (1,L,D); (B,L,D) unchanged.
Tensor batched(const Tensor& x);
/// (L,E) -> (1,1,L,E); (B,L,E) -> (B,1,L,E); (B,H,L,E) unchanged.
Tensor with_heads(const Tensor& tensor);

/// x (B,L,D) times weight (D,P), plus bias (P) if given: (B,L,P). Throws Error when the result alone exceeds the memory
/// limit, Cancelled.
Tensor project(const Tensor& x, const Tensor& weight, const Tensor* bias, const RunControl& control);

/// (B,L,H*E) -> (B,H,L,E).
Tensor split_heads(const Tensor& x, std::int64_t heads);
/// (B,H,L,E) -> (B,L,H*E): heads are transposed back before the reshape.
Tensor merge_heads(const Tensor& x);

/// (B,H,n,a) and (B,H or 1,n,b) side by side: (B,H,n,a+b). Throws Error when the result alone exceeds the memory limit.
Tensor side_by_side(const Tensor& left, const Tensor& right, const RunControl& control);

/// sqrt(mean(x²) + epsilon) of a row: what RMSNorm divides it by.
double root_mean_square(std::span<const double> row, double epsilon);

/// (rows, columns) -> (columns, rows).
Tensor transposed(const Tensor& matrix);

} // namespace attnlab
