// Packs numbers into the order of a tile and back, finds their magnitudes, and converts masks to float32; compiled for
// each instruction set.
#pragma once

#include <cstdint>

namespace attnlab::flash {

struct Magnitudes {
    float smallest; ///< of the nonzero numbers; +inf without any
    float largest;  ///< NaN where a number is
};

struct LayoutKernel {
    /// panel[c][r] = matrix[r][c] * factor for a matrix of `rows` rows and `columns` columns; a row of the panel has
    /// `width` numbers, 0 beyond the matrix.
    void (*pack)(const float* matrix, int rows, std::int64_t columns, float factor, int width, float* panel);
    /// matrix[r][c] = panel[c][r] * factors[r].
    void (*unpack)(const float* panel, int width, int rows, std::int64_t columns, const float* factors, float* matrix);

    /// The largest sum of squares of a row, or NaN where one is.
    float (*largest_square)(const float* matrix, std::int64_t rows, std::int64_t columns);
    Magnitudes (*magnitudes)(const float* numbers, std::int64_t count);

    /// cells[k] = values[k] * factor, where finite clamped to [-limit, limit].
    void (*narrow)(const double* values, std::int64_t count, double factor, double limit, float* cells);
    /// cells[k] = NaN where values[k] differs from `kept`, which is 0 or 1.
    void (*block)(const double* values, std::int64_t count, double kept, float* cells);
    /// True when any cell is above `floor`; NaN is not.
    bool (*any_above)(const float* cells, std::int64_t count, float floor);
};

/// The best one that this machine supports.
LayoutKernel layout_kernel();

} // namespace attnlab::flash
