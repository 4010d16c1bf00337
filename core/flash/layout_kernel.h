// How numbers get into the order that a tile wants and back, how large they are, and masks into float32; compiled for
// each instruction set.
#pragma once

#include <cstdint>

namespace attnlab::flash {

struct Magnitudes {
    float smallest; ///< of those that are not 0; +inf without any
    float largest;  ///< NaN where one is
};

struct LayoutKernel {
    /// panel[c][r] = matrix[r][c] * factor for `rows` rows of so many columns; a row of the panel is `width` long, and
    /// 0 where the matrix has no row.
    void (*pack)(const float* matrix, int rows, std::int64_t columns, float factor, int width, float* panel);
    /// matrix[r][c] = panel[c][r] * factors[r].
    void (*unpack)(const float* panel, int width, int rows, std::int64_t columns, const float* factors, float* matrix);

    /// The largest sum of the squares of a row, or NaN where one is.
    float (*largest_square)(const float* matrix, std::int64_t rows, std::int64_t columns);
    Magnitudes (*magnitudes)(const float* numbers, std::int64_t count);

    /// cells[k] = values[k] * factor, or -limit or limit where that is finite and further from 0.
    void (*narrow)(const double* values, std::int64_t count, double factor, double limit, float* cells);
    /// cells[k] = NaN where values[k] is not `kept`, which is 0 or 1.
    void (*block)(const double* values, std::int64_t count, double kept, float* cells);
    /// Whether any cell is above `floor`; NaN is not.
    bool (*any_above)(const float* cells, std::int64_t count, float floor);
};

/// The best that this machine supports.
LayoutKernel layout_kernel();

} // namespace attnlab::flash
