// Sizes of the forward's kernels, and the layout of a block's shared memory.
#pragma once

#include "gpu/hopper/forward_plan.h"

namespace attnlab::gpu::hopper {

inline constexpr int row_bytes_of_group = warpgroup_rows * panel_row_bytes;
inline constexpr int warps_of_group = 4;

/// The keys of a tile.
constexpr int keys_of_tile(int width, int parts) { return width == 256 || parts > 1 ? 64 : 128; }
/// As many as registers and shared memory allow, for attention to all keys: fewer sums are rescaled, and a width of 256
/// reads less of shared memory for a product than that can give. 0: no more than keys_of_tile().
constexpr int wide_keys_of_tile(int width) { return width == 128 ? 176 : width == 256 ? 80 : 0; }

/// One warpgroup makes the copies, each of the others processes 64 query rows. 128 registers for each of 512 threads,
/// or 168 for each of 384, are redistributed among them. Float32 is the sum of three bfloat16 in separate arrays: see
/// split.h.
template <class Number_, int width_, int parts_ = 1, int keys_ = keys_of_tile(width_, parts_)>
struct ForwardTile {
    using Number = Number_;
    static constexpr int width = width_;
    static constexpr int parts = parts_;
    static constexpr int consumers = width == 64 && parts == 1 ? 3 : 2;
    static constexpr int rows = consumers * warpgroup_rows;
    static constexpr int keys = keys_;
    static constexpr int stages = (width == 64 ? 4 : 2) / (parts > 1 ? 2 : 1);
    static constexpr int threads = (consumers + 1) * warpgroup_threads;
    static constexpr int producer_registers = consumers == 3 ? 32 : 24;
    static constexpr int consumer_registers = consumers == 3 ? 160 : 240;
    static_assert(warpgroup_threads * (producer_registers + consumers * consumer_registers) <= 65536);

    static constexpr int query_part_bytes = tile_bytes(rows, width);
    static constexpr int key_part_bytes = tile_bytes(keys, width);
    static constexpr int query_bytes = parts * query_part_bytes;
    static constexpr int key_bytes = parts * key_part_bytes;
    static constexpr int barriers_at = query_bytes + 2 * stages * key_bytes;
    static constexpr int barrier_count = 4 + 4 * stages;
    static constexpr int work_at = barriers_at + 8 * barrier_count;
    static constexpr int shared_bytes = work_at + 8 + atom_bytes;
    static_assert(shared_bytes <= 227 * 1024);

    static constexpr Tiling tiling() { return {rows, keys}; }
};

/// Addresses in shared memory. "Full": the copy is complete; "empty": every reading warp has finished.
template <class Tile>
struct ForwardShared {
    std::uint32_t start;

    __device__ __forceinline__ std::uint32_t query() const { return start; }
    __device__ __forceinline__ std::uint32_t key(int stage) const {
        return start + Tile::query_bytes + static_cast<std::uint32_t>(stage * Tile::key_bytes);
    }
    __device__ __forceinline__ std::uint32_t value(int stage) const { return key(Tile::stages + stage); }

    __device__ __forceinline__ std::uint32_t barrier(int number) const {
        return start + Tile::barriers_at + static_cast<std::uint32_t>(number * 8);
    }
    __device__ __forceinline__ std::uint32_t query_full() const { return barrier(0); }
    __device__ __forceinline__ std::uint32_t query_empty() const { return barrier(1); }
    __device__ __forceinline__ std::uint32_t key_full(int stage) const { return barrier(2 + stage); }
    __device__ __forceinline__ std::uint32_t key_empty(int stage) const { return barrier(2 + Tile::stages + stage); }
    __device__ __forceinline__ std::uint32_t value_full(int stage) const {
        return barrier(2 + 2 * Tile::stages + stage);
    }
    __device__ __forceinline__ std::uint32_t value_empty(int stage) const {
        return barrier(2 + 3 * Tile::stages + stage);
    }

    /// The index of the next work, in 4 bytes.
    __device__ __forceinline__ std::uint32_t work() const { return start + Tile::work_at; }
    __device__ __forceinline__ std::uint32_t work_full() const { return barrier(2 + 4 * Tile::stages); }
    __device__ __forceinline__ std::uint32_t work_empty() const { return barrier(3 + 4 * Tile::stages); }

    /// Runs on one thread.
    __device__ __forceinline__ void init_barriers() const {
        constexpr int of_tiles = 2 + 4 * Tile::stages;
        for (int number = 0; number < Tile::barrier_count; ++number) {
            const bool single = number < 2 || number >= of_tiles;
            const bool empty = single ? number % 2 == 1 : (number - 2) / Tile::stages % 2 == 1;
            init_barrier(barrier(number), empty ? Tile::consumers * warps_of_group : 1);
        }
        fence_barrier_init();
    }
};

/// The next stage, and the parity of the phase of its "full" barrier.
template <int stages>
struct Ring {
    static_assert((stages & (stages - 1)) == 0);
    unsigned turn = 0;

    __device__ __forceinline__ int stage() const { return static_cast<int>(turn % stages); }
    __device__ __forceinline__ int parity() const { return static_cast<int>(turn / stages % 2); }
    __device__ __forceinline__ void next() { ++turn; }
    __device__ __forceinline__ Ring before() const { return {turn - 1}; }
};

} // namespace attnlab::gpu::hopper
