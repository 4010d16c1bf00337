// The shared memory of a map's block, and the copies into it. Include ptx.cuh, or the tests' functions of the same
// names, before this header.
#pragma once

#include "gpu/hopper/forward_tile.cuh"
#include "gpu/hopper/map_plan.h"

namespace attnlab::gpu::hopper {

struct MapParameters {
    TensorMap query, key;
    MapPlan plan;
};

/// Addresses in shared memory; see ForwardShared.
template <class Tile>
struct MapShared {
    std::uint32_t start;

    __device__ __forceinline__ std::uint32_t query(int group) const {
        return start + static_cast<std::uint32_t>(group * Tile::query_bytes);
    }
    __device__ __forceinline__ std::uint32_t key(int stage) const {
        return start + Tile::keys_at + static_cast<std::uint32_t>(stage * Tile::key_bytes);
    }
    /// The record of a row of the block for one of the bins of a tile: maximum, sum, count.
    __device__ __forceinline__ std::uint32_t record(int bin, int row) const {
        return start + Tile::records_at + static_cast<std::uint32_t>((bin * Tile::rows + row) * Tile::record_bytes);
    }
    __device__ __forceinline__ std::uint32_t barrier(int number) const {
        return start + Tile::barriers_at + static_cast<std::uint32_t>(number * 8);
    }
    __device__ __forceinline__ std::uint32_t query_full() const { return barrier(0); }
    __device__ __forceinline__ std::uint32_t query_empty() const { return barrier(1); }
    __device__ __forceinline__ std::uint32_t key_full(int stage) const { return barrier(2 + stage); }
    __device__ __forceinline__ std::uint32_t key_empty(int stage) const { return barrier(2 + Tile::stages + stage); }

    /// Runs on one thread.
    __device__ __forceinline__ void init_barriers() const {
        for (int number = 0; number < Tile::barrier_count; ++number) {
            const bool empty = number == 1 || number >= 2 + Tile::stages;
            init_barrier(barrier(number), empty ? Tile::consumers * warps_of_group : 1);
        }
        fence_barrier_init();
    }
};

/// Those of the last rows come first: a causal mask gives them the most work.
__device__ __forceinline__ int first_row_of_work(const MapPlan& plan, int index, int rows) {
    return (plan.works - 1 - index) * rows;
}

/// Shared by producer and consumers, which must agree on it.
template <class Tile>
__device__ __forceinline__ KeyTiles tiles_of(const MapPlan& plan, int first_row) {
    const int last_row = smaller_of(first_row + Tile::rows, plan.L) - 1;
    return key_tiles(plan.band, first_row, last_row, plan.S, Tile::keys);
}

/// Copies `rows` rows part by part, which are batches of the source, and panel by panel.
template <class Tile, int rows>
__device__ __forceinline__ void copy_map_tile(std::uint32_t tile, const TensorMap& map, std::uint32_t barrier,
                                              int row) {
    ATTNLAB_UNROLL
    for (int part = 0; part < Tile::parts; ++part)
        ATTNLAB_UNROLL
    for (int column = 0; column < Tile::width; column += panel_columns)
        copy_box(tile + part * tile_bytes(rows, Tile::width) + cell_offset(0, column, rows), map, barrier, column, row,
                 0, part);
}

/// Runs on one thread.
template <class Tile>
__device__ __forceinline__ void produce_map(const MapParameters& p, const MapShared<Tile>& shared) {
    prefetch(p.query);
    prefetch(p.key);
    Ring<Tile::stages> keys;
    int query_parity = 0;
    for (int index = block_index(); index < p.plan.works; index += grid_size()) {
        const int first_row = first_row_of_work(p.plan, index, Tile::rows);
        const KeyTiles tiles = tiles_of<Tile>(p.plan, first_row);
        if (tiles.count() == 0)
            continue;
        wait(shared.query_empty(), query_parity ^ 1);
        arrive_expecting(shared.query_full(), Tile::consumers * Tile::query_bytes);
        for (int group = 0; group < Tile::consumers; ++group)
            copy_map_tile<Tile, Tile::group_rows>(shared.query(group), p.query, shared.query_full(),
                                                  first_row + group * Tile::group_rows);
        query_parity ^= 1;
        for (int n = tiles.begin; n < tiles.end; ++n) {
            wait(shared.key_empty(keys.stage()), keys.parity() ^ 1);
            arrive_expecting(shared.key_full(keys.stage()), Tile::key_bytes);
            copy_map_tile<Tile, Tile::keys>(shared.key(keys.stage()), p.key, shared.key_full(keys.stage()),
                                            n * Tile::keys);
            keys.next();
        }
    }
}

} // namespace attnlab::gpu::hopper
