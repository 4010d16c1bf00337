// Maps on a device: weights of a rectangle of cells, or pooled bins of them, from queries, keys and the scales of each
// row, without all cells at once. Plain C++17, as forward.h.
#pragma once

#include "gpu/forward_kernels.h"

#include <functional>

namespace attnlab::gpu {

/// One head and a rectangle of its cells: a launch takes all keys of the rectangle and some of its rows.
struct MapArguments {
    /// B = H = Hkv = 1; L rows and S keys of the rectangle from first_row and first_key on; blocked is Skipped. Values,
    /// output and lse are ignored. A cell that is blocked, or whose score is -inf, is not kept.
    ForwardArguments scores;
    /// (L) each: log2 of a weight = score in base 2 - base - log2_sum; the weight = 2^(score - base) * factor.
    const float *base = nullptr, *log2_sum = nullptr, *factor = nullptr;

    /// The output for single cells, row-major (L,S), NaN for those that are not kept; null: pools bins.
    float* cells = nullptr;
    bool cells_as_log2 = false;

    /// Bins of bin_rows x bin_columns cells from the first cell of the rectangle on. `row` is the first row of this
    /// launch within the rectangle.
    int bin_rows = 1, bin_columns = 1;
    int row = 0;
    /// The result of each block of rows, (blocks, bins_of_a_block, columns): the largest log2 of a weight, NaN where
    /// one is NaN; the sum of weights; the number of kept cells. `sum` may be null.
    float* largest = nullptr;
    float* sum = nullptr;
    std::uint32_t* kept = nullptr;
};

/// Columns of bins.
inline int bin_columns_of(const MapArguments& a) { return (a.scores.S + a.bin_columns - 1) / a.bin_columns; }

/// A row of the table of map kernels.
struct MapKernel {
    const char* name;
    int least_capability, most_capability;
    Precision precision;
    int width;         ///< of queries and keys
    int rows_of_block; ///< the launch has ceil(L / rows_of_block) blocks
    int (*launch)(const MapArguments&, const Device&, void* stream);
    /// True when it supports these arguments, with its own E. Ignores the values of pointers. Null: everything.
    bool (*supports)(const MapArguments&) = nullptr;
    /// As of a ForwardKernel, for each number of queries and keys; the memory is scores.scratch.
    int scratch_bytes_of_a_number = 0;

    /// The largest number of rows of bins that a block can intersect.
    int bins_of_a_block(int bin_rows) const { return (rows_of_block + bin_rows - 2) / bin_rows + 1; }
};

struct MapKernels {
    const MapKernel* rows = nullptr;
    int count = 0;

    const MapKernel* begin() const { return rows; }
    const MapKernel* end() const { return rows + count; }
};

/// All kernels of this build; none without nvcc.
MapKernels map_kernels();

/// True for the kernels of a device.
using MapPredicate = std::function<bool(const MapKernel&)>;

/// The width of the narrowest kernel for queries of this width that takes every map; 0 if there is none. Only kernels
/// for which `trusted` is true, where it is not null.
int map_width(MapKernels kernels, int capability, Precision precision, int width, const MapPredicate& trusted = {});

/// The first kernel of exactly the width E of `arguments` that supports them; null if there is none.
const MapKernel* choose(MapKernels kernels, int capability, const MapArguments& arguments,
                        const MapPredicate& trusted = {});

/// The bytes of scratch memory that a launch requires.
std::size_t scratch_bytes(const MapKernel& kernel, const MapArguments& arguments);

} // namespace attnlab::gpu
