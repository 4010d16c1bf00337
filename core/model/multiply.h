// The product of two matrices in memory, by oneDNN, on the calling thread.
#pragma once

#include <cstdint>

namespace attnlab::model {

/// Row-major, `stride` numbers from one row to the next.
struct MatrixPart {
    const float* values = nullptr;
    std::int64_t rows = 0, columns = 0, stride = 0;
};

/// a b, or a b^T, to `out` with rows `out_stride` apart.
void multiply(const MatrixPart& a, const MatrixPart& b, bool transposed, float* out, std::int64_t out_stride);

} // namespace attnlab::model
