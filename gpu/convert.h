// Rounding and padding of rows on their way to a kernel. Plain C++17, shared by device and host.
#pragma once

#include "gpu/forward_kernels.h"
#include "gpu/numbers.h"

namespace attnlab::gpu {

/// Rows of `width` float32, contiguous, become rows of `padded` numbers in a precision, 0 beyond the width.
struct RowConversion {
    const float* from = nullptr;
    void* to = nullptr;
    std::int64_t rows = 0;
    int width = 0, padded = 0; ///< padded is even
    Precision precision = Precision::Float32;

    ATTNLAB_HOST_DEVICE std::int64_t pairs() const { return rows * padded / 2; }
};

/// Converts two neighbouring numbers; `pair` is below pairs().
ATTNLAB_HOST_DEVICE inline void convert_pair(const RowConversion& rows, std::int64_t pair) {
    const std::int64_t at = 2 * pair, row = at / rows.padded;
    const int column = static_cast<int>(at % rows.padded);
    for (int k = 0; k < 2; ++k) {
        const float number = column + k < rows.width ? rows.from[row * rows.width + column + k] : 0.0f;
        if (rows.precision == Precision::Float32)
            static_cast<float*>(rows.to)[at + k] = number;
        else
            static_cast<std::uint16_t*>(rows.to)[at + k] =
                rows.precision == Precision::BFloat16 ? to_bfloat16(number) : to_float16(number);
    }
}

} // namespace attnlab::gpu
