// The kernels of one tile, compiled for each instruction set, and the aligned memory that they read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>

namespace attnlab::flash {

struct AlignedDelete {
    void operator()(float* memory) const { ::operator delete[](memory, std::align_val_t(64)); }
};
using AlignedFloats = std::unique_ptr<float[], AlignedDelete>;

/// Uninitialized.
inline AlignedFloats aligned_floats(std::int64_t count) {
    return AlignedFloats(new (std::align_val_t(64)) float[static_cast<std::size_t>(std::max<std::int64_t>(1, count))]);
}

// The arithmetic of a tile, compiled for each instruction set. SIMD lanes run over query rows: keys and values are
// broadcast from row-major memory as they are, and row maxima, sums and rescales are vector operations.

/// Memory to prefetch.
struct PrefetchRange {
    const char* first = nullptr;
    std::int64_t bytes = 0;
};

/// One panel of query rows against some keys. All buffers of the panel are aligned and have its width.
struct Tile {
    const float* queries = nullptr; ///< (E, width), scaled so that scores are in base 2
    const float* keys = nullptr;    ///< (count, E)
    const float* values = nullptr;  ///< (count, Ev)
    std::int64_t count = 0, E = 0, Ev = 0;

    /// Added to the scores of the keys from special_first up to special_last; NaN means `fill` instead, and -inf stays
    /// -inf.
    const float* cells = nullptr; ///< (special_last - special_first, width)
    std::int64_t special_first = 0, special_last = 0;
    float fill = 0.0f;

    /// Requires that all scores are within +-bounded_scores, row_max is 0, and cells are 0, or NaN for a weight of 0. A
    /// weight is then 2^score without a maximum.
    bool bounded = false;

    PrefetchRange next_keys, next_values; ///< prefetched meanwhile

    float* scores = nullptr;  ///< (count, width), scratch
    float* row_max = nullptr; ///< (width), running: in base 2, -inf before the first tile, 0 while tiles are bounded
    float* row_sum = nullptr; ///< (width), running: of exp2(score - row_max)
    float* output = nullptr;  ///< (Ev, width), running: not yet divided by row_sum
};

/// Weights of scores in this range, their sums and their products with values that are 0 or of these magnitudes stay
/// within the normal range of float32, also multiplied by a scale in this range.
inline constexpr float bounded_scores = 60.0f, smallest_value = 0x1p-40f, largest_value = 0x1p36f;
inline constexpr double smallest_output_scale = 0x1p-30, largest_output_scale = 0x1p30;

struct TileKernel {
    const char* instruction_set;
    int width; ///< query rows of a panel
    /// Adds the keys of the tile to row_max, row_sum and output.
    void (*attend)(const Tile& tile);
    /// Only the scores of the keys, without the mask.
    void (*score)(const Tile& tile);
    /// Independent multiply-adds, `count` of them in each lane; returns the floating-point operations done.
    double (*multiply_adds)(std::int64_t count, float* sink);
};

/// The best one that this machine supports.
TileKernel tile_kernel();

} // namespace attnlab::flash
