// The map arithmetic on the scores of a tile, compiled for each instruction set: weights, or largest weights and sums
// by bins. SIMD lanes run over query rows, as in the forward.
#pragma once

#include <cstdint>

namespace attnlab::flash {

/// Scores of a panel of query rows by some keys. All buffers are aligned and have the width of TileKernel's panels.
struct ScoreTile {
    const float* scores = nullptr; ///< (count, width), in base 2, without the mask
    std::int64_t count = 0;

    /// Added to the scores of the keys from special_first up to special_last; NaN or -inf where a cell is blocked.
    const float* cells = nullptr; ///< (special_last - special_first, width)
    std::int64_t special_first = 0, special_last = 0;

    const float* base = nullptr;     ///< (width): log2 of a weight = score - base - log2_sum
    const float* log2_sum = nullptr; ///< (width)
    const float* factor = nullptr;   ///< (width): weight = 2^(score - base) * factor
};

/// The rows of a panel in one row of bins, with the accumulated results from the bin of the tile's first key on.
struct BinRow {
    int first_lane = 0, last_lane = 0;
    float* log2_max = nullptr;    ///< -inf before the first cell
    double* sum = nullptr;        ///< null if not needed
    std::int64_t* kept = nullptr; ///< cells that are not blocked
};

struct BinRows {
    const BinRow* rows = nullptr;
    int count = 0;
    std::int64_t bin_columns = 1;  ///< keys of a bin
    std::int64_t first_in_bin = 0; ///< keys of the bin before the first key of the tile
};

/// A panel of rows in the pass that determines their scales.
struct FirstPass {
    float* row_max = nullptr; ///< (width), running: in base 2, -inf before the first tile
    float* row_sum = nullptr; ///< (width), running: of exp2(score - row_max)
    std::int64_t columns = 0;
    std::int64_t bin_columns = 1; ///< keys of a bin
    float* score_max = nullptr;   ///< (columns, width), -inf before the first tile
    std::int64_t* open = nullptr; ///< (columns), running: number of keys that every row of the panel keeps
    bool has_special = false;     ///< a tile had special keys, whose kept cells are in `kept`
    float* kept = nullptr;        ///< (columns, width), running
};

struct PoolKernel {
    /// Adds the tile to the bins. No score, base or sum may be NaN where a cell is kept.
    void (*pool)(const ScoreTile& tile, const BinRows& bins);
    /// Adds the tile to the sums and maxima of its rows; ignores base, log2_sum and factor. A row with a kept score of
    /// NaN or +inf ends with a row_max of +inf or a row_sum of NaN.
    void (*take_first)(const ScoreTile& tile, std::int64_t first_key, const FirstPass& pass);
    /// Then, given the scales of the rows, merges the maxima of all columns into the bins.
    void (*settle)(const FirstPass& pass, const float* base, const float* log2_sum, const BinRows& bins);
    /// Weights, or their logarithms in base 2, of the first `rows` rows: key j of row q is written to out[q * stride +
    /// j]. NaN where blocked.
    void (*weigh)(const ScoreTile& tile, bool log2, int rows, float* out, std::int64_t stride);
};

/// The best one that this machine supports; the same instruction set as tile_kernel().
PoolKernel pool_kernel();

} // namespace attnlab::flash
