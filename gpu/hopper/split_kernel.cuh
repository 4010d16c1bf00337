// Splits float32 into three bfloat16; limited by memory bandwidth. See split.h.
#pragma once

#include "gpu/hopper/split.h"

namespace attnlab::gpu::hopper {

inline constexpr int split_threads = 256;

struct alignas(16) FourFloats {
    float numbers[4];
};
struct alignas(8) FourParts {
    std::uint32_t pairs[2];
};

/// Each thread splits four neighbours of a row.
template <int width>
__device__ __forceinline__ void split_block(const SplitParameters& p) {
    constexpr int pieces = width / 4, rows_of_block = split_threads / pieces;
    const int column = thread_index() % pieces * 4;
    const int all_rows = static_cast<int>(p.all_rows());
    for (int row = block_index() * rows_of_block + thread_index() / pieces; row < all_rows;
         row += grid_size() * rows_of_block) {
        const int head = row / p.rows;
        const auto from = head / p.heads * p.from.batch_stride + head % p.heads * p.from.head_stride +
                          row % p.rows * p.from.row_stride + column;
        auto four = *reinterpret_cast<const FourFloats*>(static_cast<const float*>(p.from.data) + from);
        auto to = static_cast<std::int64_t>(row) * width + column;
        ATTNLAB_UNROLL
        for (int part = 0; part < split_parts; ++part) {
            FourParts parts;
            ATTNLAB_UNROLL
            for (int pair = 0; pair < 2; ++pair) {
                auto& first = four.numbers[2 * pair];
                auto& second = four.numbers[2 * pair + 1];
                parts.pairs[pair] = packed<Bfloat16>(first, second);
                first -= first_bfloat16(parts.pairs[pair]);
                second -= second_bfloat16(parts.pairs[pair]);
            }
            *reinterpret_cast<FourParts*>(p.to + to) = parts;
            to += static_cast<std::int64_t>(all_rows) * width;
        }
    }
}

} // namespace attnlab::gpu::hopper
