#include "core/mechanisms/shared/projection.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>

namespace attnlab {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Eigen::Map;

} // namespace

Tensor batched(const Tensor& x) { return x.rank() == 2 ? x.reshaped({1, x.dim(0), x.dim(1)}) : x; }

Tensor with_heads(const Tensor& tensor) {
    if (tensor.rank() == 2)
        return tensor.reshaped({1, 1, tensor.dim(0), tensor.dim(1)});
    if (tensor.rank() == 3)
        return tensor.reshaped({tensor.dim(0), 1, tensor.dim(1), tensor.dim(2)});
    return tensor;
}

Tensor project(const Tensor& x, const Tensor& weight, const Tensor* bias, const RunControl& control) {
    const auto B = x.dim(0), L = x.dim(1), D = x.dim(2), P = weight.dim(1);
    control.checkpoint();
    control.require_memory("projection", {B, L, P}, 1.0);
    Tensor result({B, L, P});
    Map<Matrix> out(result.mutable_values().data(), B * L, P);
    out.noalias() = Map<const Matrix>(x.data(), B * L, D) * Map<const Matrix>(weight.data(), D, P);
    if (bias)
        out.rowwise() += Map<const Eigen::RowVectorXd>(bias->data(), P);
    return result;
}

Tensor split_heads(const Tensor& x, std::int64_t heads) {
    const auto B = x.dim(0), L = x.dim(1), E = x.dim(2) / heads;
    Tensor result({B, heads, L, E});
    if (result.size() == 0)
        return result;
    const auto out = result.mutable_values();
    std::size_t next = 0;
    for (std::int64_t b = 0; b < B; ++b)
        for (std::int64_t h = 0; h < heads; ++h)
            for (std::int64_t i = 0; i < L; ++i)
                for (std::int64_t c = 0; c < E; ++c)
                    out[next++] = x.data()[(b * L + i) * heads * E + h * E + c];
    return result;
}

Tensor merge_heads(const Tensor& x) {
    const auto B = x.dim(0), H = x.dim(1), L = x.dim(2), E = x.dim(3);
    Tensor result({B, L, H * E});
    if (result.size() == 0)
        return result;
    const auto out = result.mutable_values();
    std::size_t next = 0;
    for (std::int64_t b = 0; b < B; ++b)
        for (std::int64_t i = 0; i < L; ++i)
            for (std::int64_t h = 0; h < H; ++h)
                for (std::int64_t c = 0; c < E; ++c)
                    out[next++] = x.data()[((b * H + h) * L + i) * E + c];
    return result;
}

Tensor side_by_side(const Tensor& left, const Tensor& right, const RunControl& control) {
    const auto B = left.dim(0), H = left.dim(1), n = left.dim(2), a = left.dim(3), b = right.dim(3);
    control.require_memory("rows", {B, H, n, a + b}, 1.0);
    Tensor both({B, H, n, a + b});
    auto out = both.mutable_values().begin();
    for (std::int64_t row = 0; row < B * H * n; ++row) {
        out = std::copy_n(left.data() + row * a, a, out);
        const auto head = row / n, shared = right.dim(1) == 1 ? head / H : head;
        out = std::copy_n(right.data() + (shared * n + row % n) * b, b, out);
    }
    return both;
}

double root_mean_square(std::span<const double> row, double epsilon) {
    double sum = 0.0;
    for (const double value : row)
        sum += value * value;
    return std::sqrt(sum / static_cast<double>(row.size()) + epsilon);
}

Tensor transposed(const Tensor& matrix) {
    Tensor result({matrix.dim(1), matrix.dim(0)});
    Map<Matrix>(result.mutable_values().data(), matrix.dim(1), matrix.dim(0)) =
        Map<const Matrix>(matrix.data(), matrix.dim(0), matrix.dim(1)).transpose();
    return result;
}

} // namespace attnlab
