// Data of an algorithm that its matrices do not show (tiles, pages, buckets, a curve), as part of a Trace.
#pragma once

#include "core/message.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

namespace attnlab {

// A kind of exhibit is one struct here, and one view of it in the window (ui/pages/exhibits) and in web/exhibits.js.
// `id` names it as the board of a lesson, in `attnlab render --view` and on live pages. `members` gives the name and
// value of each member to a visitor; pages in a browser read them.

/// Attention by tiles with an online softmax: tiles of block_q queries x block_k keys, key tiles in order for each
/// query tile. The numbers are stages whose first axis is the key tile: tile_row_max and tile_row_sum (tiles,B,H,L),
/// the running m and l after that tile, and tile_output (tiles,B,H,L,Ev), the output so far (not yet divided by l).
struct TileWalk {
    static constexpr std::string_view id = "tiles";
    std::int64_t block_q = 1;
    std::int64_t block_k = 1;
    std::int64_t query_tiles = 0;
    std::int64_t key_tiles = 0;
    /// skipped[(b * H + h) * query_tiles * key_tiles + query_tile * key_tiles + key_tile]: every cell is blocked, so
    /// the tile is not read.
    std::vector<bool> skipped;

    void members(auto&& visit) const {
        visit("block_q", block_q);
        visit("block_k", block_k);
        visit("query_tiles", query_tiles);
        visit("key_tiles", key_tiles);
        visit("skipped", skipped);
    }
};

/// Keys and values in fixed-size pages of a pool, found through a block table.
struct PageTable {
    static constexpr std::string_view id = "page_table";
    std::int64_t page_size = 1;
    std::int64_t pool_pages = 0;           ///< pages in the pool, used or not
    std::int64_t length = 0;               ///< tokens stored
    std::vector<std::int64_t> block_table; ///< entry i: the pool page of tokens i * page_size ...

    void members(auto&& visit) const {
        visit("page_size", page_size);
        visit("pool_pages", pool_pages);
        visit("length", length);
        visit("block_table", block_table);
    }
};

/// Which pages read each other: query page a reads key page b where |a - b| <= neighbors.
struct PageReads {
    static constexpr std::string_view id = "page_reads";
    std::int64_t page_size = 1;
    std::int64_t neighbors = 0;
    std::int64_t query_pages = 0;
    std::int64_t key_pages = 0;

    void members(auto&& visit) const {
        visit("page_size", page_size);
        visit("neighbors", neighbors);
        visit("query_pages", query_pages);
        visit("key_pages", key_pages);
    }
};

/// Hashing tokens into buckets: the numbers are the stage `buckets` (n_hashes,B,H,L).
struct BucketSort {
    static constexpr std::string_view id = "buckets";
    std::int64_t n_hashes = 1;
    std::int64_t n_buckets = 2;

    void members(auto&& visit) const {
        visit("n_hashes", n_hashes);
        visit("n_buckets", n_buckets);
    }
};

/// A line through points, with the current setting marked.
struct Curve {
    static constexpr std::string_view id = "curve";
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

    void members(auto&& visit) const {
        visit("title", title);
        visit("x_title", x_title);
        visit("y_title", y_title);
        visit("points", points);
        visit("present", present);
        visit("logarithmic_x", logarithmic_x);
        visit("logarithmic_y", logarithmic_y);
    }
};

/// Pages of the window are in this order.
using Exhibit = std::variant<TileWalk, PageTable, PageReads, BucketSort, Curve>;

namespace exhibits {

/// Calls `make.template operator()<Kind>()` for every kind; an array of the results in the order of Exhibit.
template <class Make, class... Kinds>
constexpr auto for_each_kind(const Make& make, const std::variant<Kinds...>*) {
    return std::array{make.template operator()<Kinds>()...};
}
template <class Make>
constexpr auto for_each_kind(const Make& make) {
    return for_each_kind(make, static_cast<const Exhibit*>(nullptr));
}

/// ids[exhibit.index()] is the id of an exhibit.
inline constexpr auto ids = for_each_kind([]<class Kind>() { return Kind::id; });
/// The Exhibit::index() of exhibits of a kind.
template <class Kind>
inline constexpr auto index_of = static_cast<std::size_t>(std::ranges::find(ids, Kind::id) - ids.begin());

} // namespace exhibits

} // namespace attnlab
