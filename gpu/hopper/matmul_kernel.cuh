// C(64 x n) = A(64 x 128) B(128 x n), one warpgroup: the smallest kernel with every form of tile, descriptor and
// fragment of the forward, to separate errors in these from errors in the forward.
#pragma once

#include "gpu/hopper/hopper_layout.h"

namespace attnlab::gpu::hopper {

inline constexpr int matmul_rows = warpgroup_rows;
inline constexpr int matmul_depth = 128;

struct MatmulParameters {
    TensorMap a;               ///< (64,128)
    TensorMap b;               ///< (n,128), or (128,n) where b_is_mn_major
    const std::uint16_t* rows; ///< A again, for registers
    float* c;                  ///< (64,n)
};

/// The rows of B's tile in shared memory.
template <int n, bool b_is_mn_major>
ATTNLAB_BOTH constexpr int matmul_b_rows() {
    return b_is_mn_major ? matmul_depth : n;
}

template <int n>
ATTNLAB_BOTH constexpr int matmul_shared_bytes() {
    return tile_bytes(matmul_rows, matmul_depth) + tile_bytes(matmul_depth, n) + 8 + atom_bytes;
}

__device__ __forceinline__ void copy_panels(std::uint32_t tile, const TensorMap& map, std::uint32_t barrier, int rows,
                                            int columns) {
    for (int column = 0; column < columns; column += panel_columns)
        copy_box(tile + cell_offset(0, column, rows), map, barrier, column, 0, 0, 0);
}

template <class Number, int n, bool b_is_mn_major, bool a_in_registers>
__device__ __forceinline__ void matmul_block(const MatmulParameters& p) {
    constexpr int b_rows = matmul_b_rows<n, b_is_mn_major>();
    const auto a_tile = shared_memory();
    const auto b_tile = a_tile + tile_bytes(matmul_rows, matmul_depth);
    const auto barrier = b_tile + tile_bytes(matmul_depth, n);
    const int thread = thread_index();
    if (thread == 0) {
        init_barrier(barrier, 1);
        fence_barrier_init();
        arrive_expecting(barrier, tile_bytes(matmul_rows, matmul_depth) + tile_bytes(matmul_depth, n));
        copy_panels(a_tile, p.a, barrier, matmul_rows, matmul_depth);
        copy_panels(b_tile, p.b, barrier, b_rows, b_is_mn_major ? n : matmul_depth);
    }
    sync_block();
    wait(barrier, 0);

    constexpr int steps = matmul_depth / mma_depth;
    std::uint32_t fragments[steps][4];
    if constexpr (a_in_registers) {
        ATTNLAB_UNROLL
        for (int step = 0; step < steps; ++step)
            ATTNLAB_UNROLL
        for (int pair = 0; pair < 4; ++pair) {
            const int row = fragment_row(thread, 2 * pair), column = fragment_column(thread, 2 * pair);
            const auto* first = p.rows + row * matmul_depth + step * mma_depth + column;
            fragments[step][pair] = first[0] | std::uint32_t{first[1]} << 16;
        }
    }
    float sums[n / 2];
    ATTNLAB_UNROLL
    for (auto& sum : sums)
        sum = 0.0f;
    hold(sums);
    fence_products();
    ATTNLAB_UNROLL
    for (int step = 0; step < steps; ++step) {
        const auto b = b_is_mn_major ? advanced(mn_major(b_tile, b_rows), mn_major_step(step))
                                     : advanced(k_major(b_tile), k_major_step(step, b_rows));
        if constexpr (a_in_registers)
            multiply<Number, b_is_mn_major>(sums, fragments[step], b, step > 0);
        else
            multiply<Number, b_is_mn_major>(sums, advanced(k_major(a_tile), k_major_step(step, matmul_rows)), b,
                                            step > 0);
    }
    commit_products();
    wait_products<0>();
    hold(sums);
    ATTNLAB_UNROLL
    for (int r = 0; r < n / 2; ++r)
        p.c[accumulator_row(thread, r) * n + accumulator_column(thread, r)] = sums[r];
}

} // namespace attnlab::gpu::hopper
