// Float32 on tensor cores that take 16 bits. A float32 is the sum of three bfloat16 to its last bit, each 8 bits of the
// mantissa:  x = x0 + x1 + x2.  Of the nine products of two such sums, six are not below the last bit of x0 y0:
//
//     x y = (x2 y0 + x1 y1 + x0 y2) + (x1 y0 + x0 y1) + x0 y0
//
// They are added in this order, small ones first, since the tensor cores truncate sums.
// Henry, Tang & Heinecke 2019, Leveraging the bfloat16 Artificial Intelligence Datatype.
#pragma once

#include "gpu/forward_kernels.h"
#include "gpu/hopper/hopper_layout.h"

namespace attnlab::gpu::hopper {

inline constexpr int split_parts = 3;

struct PartPair {
    int first, second;
};

/// The number of products of two numbers of `parts` parts, and the parts in the i-th one.
ATTNLAB_BOTH constexpr int product_count(int parts) { return parts == 1 ? 1 : 6; }
ATTNLAB_BOTH constexpr PartPair product_of(int parts, int i) {
    constexpr PartPair pairs[] = {{2, 0}, {1, 1}, {0, 2}, {1, 0}, {0, 1}, {0, 0}};
    return parts == 1 ? PartPair{0, 0} : pairs[i];
}

/// Splits float32 rows into three arrays (batches, heads, rows, width) of bfloat16, contiguous.
struct SplitParameters {
    Rows from;
    std::uint16_t* to = nullptr;
    int batches = 0, heads = 0, rows = 0;

    ATTNLAB_BOTH constexpr std::int64_t all_rows() const { return std::int64_t{batches} * heads * rows; }
    /// Numbers in `to`.
    constexpr std::int64_t length(int width) const { return split_parts * all_rows() * width; }
};

/// The three arrays for the copy engine: as three times as many batches.
inline TileSource split_source(const SplitParameters& split, int width, int box_rows) {
    TileSource source;
    source.numbers = split.to;
    source.columns = width;
    source.rows = split.rows;
    source.heads = split.heads;
    source.batches = std::int64_t{split_parts} * split.batches;
    source.row_stride = width;
    source.head_stride = source.row_stride * split.rows;
    source.batch_stride = source.head_stride * split.heads;
    source.box_rows = box_rows;
    return source;
}

/// The arrays of a forward to be split, together `length` numbers, which start at `to`.
struct ForwardSplit {
    SplitParameters query, key, value;
    std::int64_t length = 0;

    ForwardSplit(const ForwardArguments& arguments, std::uint16_t* to) {
        const auto take = [&](const Rows& from, int heads, int rows) {
            const SplitParameters split{from, to + length, arguments.B, heads, rows};
            length += split.length(arguments.E);
            return split;
        };
        query = take(arguments.query, arguments.H, arguments.L);
        key = take(arguments.key, arguments.Hkv, arguments.S);
        value = take(arguments.value, arguments.Hkv, arguments.S);
    }
};

} // namespace attnlab::gpu::hopper
