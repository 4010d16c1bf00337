// The work distribution of a map on Hopper. Plain C++17 for device, host and tests.
#pragma once

#include "gpu/hopper/forward_plan.h"
#include "gpu/map.h"

namespace attnlab::gpu::hopper {

/// Sizes of the kernel, and the layout of a block's shared memory. One warpgroup makes the copies, each of the others
/// processes 128 query rows: a tile of keys is read once for 256 of them, or the cache would be the bottleneck.
template <int width_>
struct MapTile {
    static constexpr int width = width_;
    static constexpr int consumers = 2;
    static constexpr int group_rows = 2 * warpgroup_rows; ///< each is a block of MapArguments
    static constexpr int rows = consumers * group_rows;
    static constexpr int keys = 128;
    static constexpr int stages = width == 64 ? 8 : 4;
    static constexpr int threads = (consumers + 1) * warpgroup_threads;
    static constexpr int producer_registers = 24, consumer_registers = 240;

    static constexpr int query_bytes = tile_bytes(group_rows, width); ///< of a warpgroup
    static constexpr int key_bytes = tile_bytes(keys, width);
    static constexpr int keys_at = consumers * query_bytes;
    static constexpr int barriers_at = keys_at + stages * key_bytes;
    static constexpr int barrier_count = 2 + 2 * stages;
    static constexpr int row_bytes = 16; ///< maximum, sum, count
    static constexpr int rows_at = barriers_at + (8 * barrier_count + 15) / 16 * 16;
    static constexpr int shared_bytes = rows_at + rows * row_bytes + atom_bytes;
    static_assert(shared_bytes <= 227 * 1024);
};

struct MapPlan {
    int L = 0, S = 0;
    int works = 0; ///< blocks of 256 rows
    Band band;     ///< of the launch
    float to_log2 = 1.0f;
    const float *base = nullptr, *log2_sum = nullptr, *factor = nullptr;
    int bin_rows = 1, bin_columns = 1, row = 0, columns = 0, bins_of_block = 1;
    float *largest = nullptr, *sum = nullptr;
    std::uint32_t* kept = nullptr;
};

/// True when the kernel here supports it: bins whose borders are those of key tiles, and no masks but a band.
bool supports_map(const MapArguments& arguments);

MapPlan plan_map(const MapArguments& arguments);

/// Queries or keys for the copy engine: boxes of 128 rows.
TileSource map_source(const MapArguments& arguments, const Rows& rows, int count);

} // namespace attnlab::gpu::hopper
