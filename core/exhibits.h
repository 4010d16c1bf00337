// What a schedule does and no matrix shows, as plain data carried by a Trace. The window has one view for each kind and
// does not depend on mechanism names.
#pragma once

#include "core/message.h"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace attnlab {

/// Attention by tiles with an online softmax: tiles of block_q queries x block_k keys, key tiles in order for each
/// query tile. The numbers are stages whose first axis is the key tile: tile_row_max and tile_row_sum (tiles,B,H,L),
/// the running m and l after that tile, and tile_output (tiles,B,H,L,Ev), the output so far (not yet divided by l).
struct TileWalk {
    std::int64_t block_q = 1;
    std::int64_t block_k = 1;
    std::int64_t query_tiles = 0;
    std::int64_t key_tiles = 0;
    /// skipped[(b * H + h) * query_tiles * key_tiles + query_tile * key_tiles + key_tile]: every cell is blocked, so
    /// the tile is not read.
    std::vector<bool> skipped;
};

/// Keys and values in fixed-size pages of a pool, found through a block table.
struct PageTable {
    std::int64_t page_size = 1;
    std::int64_t pool_pages = 0;           ///< pages in the pool, used or not
    std::int64_t length = 0;               ///< tokens stored
    std::vector<std::int64_t> block_table; ///< entry i: the pool page of tokens i * page_size ...
};

/// Which pages read each other: query page a reads key page b where |a - b| <= neighbors.
struct PageReads {
    std::int64_t page_size = 1;
    std::int64_t neighbors = 0;
    std::int64_t query_pages = 0;
    std::int64_t key_pages = 0;
};

/// Hashing tokens into buckets: the numbers are the stage `buckets` (n_hashes,B,H,L).
struct BucketSort {
    std::int64_t n_hashes = 1;
    std::int64_t n_buckets = 2;
};

/// A line through points, with the current setting marked.
struct Curve {
    struct Point {
        double x = 0.0;
        double y = 0.0;
    };
    Message title;
    Message x_title;
    Message y_title;
    std::vector<Point> points; ///< by ascending x
    Point present;
    bool logarithmic_x = false;
    bool logarithmic_y = false;
};

using Exhibit = std::variant<TileWalk, PageTable, PageReads, BucketSort, Curve>;

} // namespace attnlab
