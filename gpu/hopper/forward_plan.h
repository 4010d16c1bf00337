// The work distribution of a forward on Hopper: work of blocks, key tiles for a block of query rows, the arguments in
// the kernel's form. Plain C++17 for device, host and tests.
#pragma once

#include "gpu/forward_kernels.h"
#include "gpu/hopper/hopper_layout.h"

namespace attnlab::gpu::hopper {

inline constexpr float log2_e = 1.44269504f;

/// Key tiles that some row of a block reads: [begin, end). All rows read all cells of [whole_begin, whole_end).
struct KeyTiles {
    int begin = 0, whole_begin = 0, whole_end = 0, end = 0;

    ATTNLAB_BOTH constexpr int count() const { return end - begin; }
};

ATTNLAB_BOTH constexpr int smaller_of(int a, int b) { return b < a ? b : a; }
ATTNLAB_BOTH constexpr int larger_of(int a, int b) { return a < b ? b : a; }

/// For the query rows [first_row, last_row] and the first `keys` keys, in tiles of `tile` keys.
ATTNLAB_BOTH constexpr KeyTiles key_tiles(const Band& band, int first_row, int last_row, int keys, int tile) {
    const int first = larger_of(0, first_row - band.before);
    const int end = smaller_of(keys, larger_of(last_row + band.after + 1, band.prefix));
    if (first >= end)
        return {};
    const int whole_first = larger_of(0, last_row - band.before);
    const int whole_end = larger_of(0, smaller_of(keys, larger_of(first_row + band.after + 1, band.prefix)));
    KeyTiles tiles;
    tiles.begin = first / tile;
    tiles.end = (end + tile - 1) / tile;
    tiles.whole_begin = smaller_of((whole_first + tile - 1) / tile, tiles.end);
    tiles.whole_end = larger_of(tiles.whole_begin, whole_end / tile);
    return tiles;
}

/// The band of a launch whose first query and key are not the problem's, with numbers that can be added to positions
/// below 2^30 without overflow.
Band band_of_launch(const Band& band, int first_row, int first_key);

/// A block of query rows of a head.
struct Work {
    int head = 0; ///< b H + h
    int block = 0;
};

/// Everything but the tensor maps.
struct ForwardPlan {
    int B = 1, H = 1, group = 1, L = 0, S = 0; ///< `group` query heads share keys
    int blocks = 0;                            ///< of query rows of a head
    int works = 0;
    bool even = true;         ///< all work takes equally long
    int heads_of_section = 1; ///< work is in sections of heads whose keys and values fit the cache
    int first_key = 0;
    Band band; ///< of the launch
    ValidLengths valid_lengths;
    KeptBits key_padding, kept;
    Bias bias;
    Blocked blocked = Blocked::Skipped;
    float fill = 0.0f;    ///< in base 2
    float scale = 1.0f;   ///< multiplies the product; includes the conversion to base 2 unless there is a softcap
    float softcap = 0.0f; ///< 0: none
    float to_log2 = 1.0f; ///< converts the argument of the softmax to base 2: the factor of the product if nothing else
                          ///< happens to it, 1 if cells are processed one by one
    float output_scale = 1.0f;
    Rows output;
    bool output_is_float32 = true;
    float* lse = nullptr;
};

/// Within a section the last blocks of rows come first: under a causal mask they take longest, so that only short ones
/// remain at the end.
ATTNLAB_BOTH constexpr Work work_at(const ForwardPlan& plan, int index) {
    const int of_section = plan.heads_of_section * plan.blocks;
    const int section = index / of_section, rest = index % of_section;
    const int first_head = section * plan.heads_of_section;
    const int heads = smaller_of(plan.heads_of_section, plan.B * plan.H - first_head);
    return {first_head + rest % heads, plan.blocks - 1 - rest / heads};
}

/// How a kernel for one width divides the problem.
struct Tiling {
    int rows = 0, keys = 0; ///< of a block of queries, of a tile of keys
};

ForwardPlan plan_forward(const ForwardArguments& arguments, const Tiling& tiling);

/// True when the band leaves all rows all keys.
bool is_even(const Band& band, int L, int S);

/// True when a score needs more than a scale and a band: bits, bias, a fill, a separate limit for each row, softcap, or
/// a scale that reverses the order of scores.
bool needs_cells(const ForwardArguments& arguments);

/// True when all rows read all keys without masks, and tiles of `wide_keys` have at most 2 % more keys in all than
/// those of `keys`.
bool takes_wide_tiles(const ForwardArguments& arguments, int keys, int wide_keys);

/// True when the kernels here support it, with rows of `width` 16-bit numbers, or of float32 in parts.
bool supports(const ForwardArguments& arguments, int width);
bool supports_in_parts(const ForwardArguments& arguments, int width);

/// Queries, and keys or values, for the copy engine.
TileSource query_source(const ForwardArguments& arguments, const Tiling& tiling);
TileSource key_source(const ForwardArguments& arguments, const Rows& rows, const Tiling& tiling);

} // namespace attnlab::gpu::hopper
