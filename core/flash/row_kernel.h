// The arithmetic of a few query rows against many keys, compiled for each instruction set. With too few rows to fill a
// panel of TileKernel, SIMD lanes run over the features of a key, so that keys and values are read at memory speed.
#pragma once

#include "core/flash/tile_kernel.h"

namespace attnlab::flash {

/// A few query rows against some keys.
struct RowTile {
    const float* queries = nullptr; ///< packed by RowKernel::pack
    const float* keys = nullptr;    ///< (count, E)
    const float* values = nullptr;  ///< (count, Ev)
    std::int64_t count = 0, E = 0, Ev = 0;
    int rows = 0;

    /// Added to the scores of the keys from special_first up to special_last; NaN means `fill` instead, and -inf stays
    /// -inf.
    const float* cells = nullptr; ///< (rows, stride)
    std::int64_t special_first = 0, special_last = 0;
    float fill = 0.0f;

    PrefetchRange next_keys, next_values; ///< prefetched meanwhile

    float* scores = nullptr;  ///< (rows, stride), scratch; aligned
    std::int64_t stride = 0;  ///< a multiple of 64, at least `count`
    float* row_max = nullptr; ///< (rows), running: in base 2, -inf before the first tile
    float* row_sum = nullptr; ///< (rows), running: of exp2(score - row_max)
    float* output = nullptr;  ///< (rows, Ev), running: not yet divided by row_sum
};

struct RowKernel {
    int most_rows; ///< with more rows, a panel is faster
    /// The numbers written by pack() for each row.
    std::int64_t (*packed_width)(std::int64_t E);
    /// Packs queries (rows, E) times factor, which makes scores base 2, in the order that attend() reads.
    void (*pack)(const float* queries, int rows, std::int64_t E, float factor, float* packed);
    /// Adds the keys of the tile to row_max, row_sum and output.
    void (*attend)(const RowTile& tile);
    /// The sum of `count` numbers: the fastest way to read them.
    float (*read)(const float* numbers, std::int64_t count);
};

/// The best one that this machine supports; the same instruction set as tile_kernel().
RowKernel row_kernel();

} // namespace attnlab::flash
