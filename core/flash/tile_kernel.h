// The arithmetic of a tile, compiled for each instruction set. SIMD lanes run over query rows: keys and values are
// broadcast from row-major memory as they are, and row maxima, sums and rescales are operations between vectors.
#pragma once

#include <cstdint>

namespace attnlab::flash {

/// Memory that is read soon.
struct Ahead {
    const char* first = nullptr;
    std::int64_t bytes = 0;
};

/// One panel of query rows against some keys. All buffers of the panel are aligned and have the panel's width.
struct Tile {
    const float* queries = nullptr; ///< (E, width), scaled so that scores are in base 2
    const float* keys = nullptr;    ///< (count, E)
    const float* values = nullptr;  ///< (count, Ev)
    std::int64_t count = 0, E = 0, Ev = 0;

    /// Added to the scores of the keys from special_first up to special_last; NaN puts `fill` there instead.
    const float* cells = nullptr; ///< (special_last - special_first, width)
    std::int64_t special_first = 0, special_last = 0;
    float fill = 0.0f;

    Ahead next_keys, next_values; ///< fetched into the cache meanwhile

    float* scores = nullptr;  ///< (count, width), scratch
    float* row_max = nullptr; ///< (width), running: in base 2, -inf before the first tile
    float* row_sum = nullptr; ///< (width), running: of exp2(score - row_max)
    float* output = nullptr;  ///< (Ev, width), running: not yet divided by row_sum
};

/// What is done to the `count` cells of a row of masks.
struct CellKernel {
    /// cells[k] = values[k] * factor
    void (*narrow)(const double* values, std::int64_t count, double factor, float* cells);
    /// cells[k] = NaN where values[k] is not `kept`, which is 0 or 1.
    void (*block)(const double* values, std::int64_t count, double kept, float* cells);
    /// Whether any cell is neither NaN nor -inf.
    bool (*any_read)(const float* cells, std::int64_t count);
};

struct TileKernel {
    const char* instruction_set;
    int width; ///< query rows of a panel
    /// `rows` rows of E numbers, times factor, into a panel; the rows that it lacks are 0.
    void (*pack)(const float* query, int rows, std::int64_t E, float factor, float* panel);
    /// Takes the keys of the tile into row_max, row_sum and output.
    void (*attend)(const Tile& tile);
    /// A panel of Ev columns into `rows` rows of Ev numbers, row q times factors[q].
    void (*unpack)(const float* panel, int rows, std::int64_t Ev, const float* factors, float* output);
    CellKernel cells;
    /// Independent multiply-adds, `count` of them in each lane; returns the floating-point operations done.
    double (*multiply_adds)(std::int64_t count, float* sink);
};

/// The best that this machine supports.
TileKernel tile_kernel();

} // namespace attnlab::flash
