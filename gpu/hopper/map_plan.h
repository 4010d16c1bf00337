// The work distribution of a map on Hopper. Plain C++17 for device, host and tests.
#pragma once

#include "gpu/hopper/forward_plan.h"
#include "gpu/hopper/split.h"
#include "gpu/map.h"

namespace attnlab::gpu::hopper {

/// Sizes of the kernel, and the layout of a block's shared memory. One warpgroup makes the copies, each of the others
/// processes 128 query rows: a tile of keys is read once for all of them, or the cache would be the bottleneck. Float32
/// is the sum of three bfloat16 in separate arrays: see split.h.
template <int width_, int parts_ = 1>
struct MapTile {
    static constexpr int width = width_;
    static constexpr int parts = parts_;
    static constexpr int consumers = width == 128 && parts > 1 ? 1 : 2;
    static constexpr int group_rows = 2 * warpgroup_rows; ///< each is a block of MapArguments
    static constexpr int rows = consumers * group_rows;
    static constexpr int keys = width == 128 && parts > 1 ? 64 : 128;
    static constexpr int stages = parts > 1 ? 2 : width == 64 ? 8 : 4;
    static constexpr int threads = (consumers + 1) * warpgroup_threads;
    static constexpr int producer_registers = 24, consumer_registers = 240;

    static constexpr int query_part_bytes = tile_bytes(group_rows, width);
    static constexpr int key_part_bytes = tile_bytes(keys, width);
    static constexpr int query_bytes = parts * query_part_bytes; ///< of a warpgroup
    static constexpr int key_bytes = parts * key_part_bytes;
    static constexpr int keys_at = consumers * query_bytes;
    static constexpr int barriers_at = keys_at + stages * key_bytes;
    static constexpr int barrier_count = 2 + 2 * stages;
    static constexpr int least_bin_columns = 16;
    static constexpr int record_bytes = 16; ///< maximum, sum, count
    static constexpr int records_at = barriers_at + (8 * barrier_count + 15) / 16 * 16;
    static constexpr int shared_bytes = records_at + rows * (keys / least_bin_columns) * record_bytes + atom_bytes;
    static_assert(shared_bytes <= 227 * 1024);
};

struct MapPlan {
    int L = 0, S = 0;
    int works = 0; ///< blocks of rows
    Band band;     ///< of the launch
    float to_log2 = 1.0f;
    const float *base = nullptr, *log2_sum = nullptr, *factor = nullptr;
    int bin_rows = 1, bin_columns = 1, row = 0, columns = 0, bins_of_block = 1;
    float *largest = nullptr, *sum = nullptr;
    std::uint32_t* kept = nullptr;
};

/// True when the kernels here support it: bins of 16, 32, 64 or a multiple of 128 columns, and no masks but a band;
/// queries and keys of `width` bfloat16, or of float32 in parts.
bool supports_map(const MapArguments& arguments, int width);
bool supports_map_in_parts(const MapArguments& arguments, int width);

/// `rows` is that of a tile.
MapPlan plan_map(const MapArguments& arguments, int rows);

/// As for a forward.
int blocks_of_launch(const MapPlan& plan, int multiprocessors);

/// Queries or keys for the copy engine.
TileSource map_source(const MapArguments& arguments, const Rows& rows, int count, int box_rows);

/// The queries and keys of a map to be split, together `length` numbers, which start at `to`.
struct MapSplit {
    SplitParameters query, key;
    std::int64_t length = 0;

    MapSplit(const MapArguments& arguments, std::uint16_t* to) {
        const auto& a = arguments.scores;
        query = {a.query, to, 1, 1, a.L};
        key = {a.key, to + query.length(a.E), 1, 1, a.S};
        length = query.length(a.E) + key.length(a.E);
    }
};

} // namespace attnlab::gpu::hopper
