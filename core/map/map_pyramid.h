// One head's map at every zoom: levels of bins of 2^level x 2^level cells, in tiles of 256 x 256 bins, in a cache of
// limited size. For an elongated map, bins are elongated as well.
#pragma once

#include "core/map/attention_map.h"

#include <algorithm>
#include <compare>
#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <set>

namespace attnlab {

struct MapTile {
    int level = 0; ///< a bin is 2^level cells along the longer side of the map; 0: single cells
    std::int64_t row = 0, column = 0;
    auto operator<=>(const MapTile&) const = default;
};

/// What of a comparison is shown: one of the two maps, or B − A.
enum class MapSide { A, B, Difference };

/// Thread-safe: workers may call it concurrently, and wait for a tile that another one is computing. Starts no threads
/// except those of AttentionMap.
class MapPyramid {
public:
    static constexpr std::int64_t tile_bins = 256;  ///< along a side
    static constexpr std::int64_t base_bins = 4096; ///< along a side, at most
    /// Bins below 4 x 4 cells take longer to write than to compute, and few of them are ever viewed: they are made on
    /// demand.
    static constexpr int finest_base = 2;
    /// Beyond this difference in levels, bins stay one cell wide along the shorter side, so that they are as elongated
    /// as the map.
    static constexpr std::int64_t most_unequal = 6;
    using Bins = std::shared_ptr<const MapBins>;
    /// Receives every row of tiles of the base level: from any thread, never concurrently, in any order.
    using Seen = std::function<void(const BinGrid& grid, const MapBins& bins)>;

    /// Pool::Mean also stores maxima; Pool::Max stores no sums. When byte_limit is exceeded, the least recently used
    /// tiles are dropped, except the one just requested.
    MapPyramid(std::shared_ptr<const AttentionMap> map, Pool pool, std::size_t byte_limit);
    /// Opens a head and builds its base level, for maxima in the same pass over the cells where AttentionMap supports
    /// it.
    MapPyramid(std::shared_ptr<const MapInputs> inputs, std::int64_t batch, std::int64_t head, Pool pool,
               std::size_t byte_limit, const RunControl& control = {}, int threads = 0, const Seen& seen = {});
    /// B − A as difference_of() has it. Every tile is made of the tiles of both, which have sums. Throws Error for
    /// heads of different sizes.
    MapPyramid(const std::shared_ptr<MapPyramid>& a, const std::shared_ptr<MapPyramid>& b, Pool pool,
               std::size_t byte_limit);

    /// Of a difference: that of B.
    const AttentionMap& map() const { return *map_; }
    std::shared_ptr<const AttentionMap> shared_map() const { return map_; }
    /// The number of a bin: that of its pool, or of a difference its mean.
    Pool shown_pool() const { return a_ ? Pool::Mean : pool_; }
    /// The level that build() computes: the finest with at most 4096 x 4096 bins of at least 4 x 4 cells, or the only
    /// one.
    int base_level() const { return base_level_; }
    /// The level whose one tile is the whole map.
    int top_level() const { return top_level_; }
    /// The finest level whose bins are at least as large as a pixel, so that a picture of it omits none. A pixel of at
    /// most one cell gives level 0.
    int level_for(double rows_per_pixel, double columns_per_pixel) const;
    /// Cells of a bin, along each axis.
    std::int64_t bin_rows(int level) const { return std::int64_t{1} << std::max(0, level - rows_behind_); }
    std::int64_t bin_columns(int level) const { return std::int64_t{1} << std::max(0, level - columns_behind_); }

    /// Tiles of a level, along each axis.
    std::int64_t tile_rows(int level) const;
    std::int64_t tile_columns(int level) const;
    /// The cells and bins of a tile.
    BinGrid grid(const MapTile& tile) const;
    /// The tile of the next coarser level that shows the same cells.
    MapTile parent(const MapTile& tile) const;
    /// The tiles of a level that intersect `view`, nearest to its centre first.
    std::vector<MapTile> tiles_over(int level, const CellRect& view) const;

    /// Looks up the cache without computing; null if absent.
    Bins find(const MapTile& tile);
    /// The nearest coarser tile in the cache that covers `tile`, or `tile` itself: shown until the fine one is ready.
    /// Null bins if there is none.
    std::pair<MapTile, Bins> find_covering(MapTile tile);
    /// From the cache, merged from cached finer tiles, or computed. Throws Error for a tile out of range; Cancelled.
    Bins request(const MapTile& tile, const RunControl& control = {}, int threads = 0);
    /// Computes the base level in one pass and merges every coarser level from it; of a difference the top level alone.
    /// Throws Cancelled; completed tiles stay.
    void build(const RunControl& control = {}, int threads = 0, const Seen& seen = {});

    /// All cells in at most `most_bins` bins along a side, merged from the top level.
    MapBins overview(std::int64_t most_bins, const RunControl& control = {}, int threads = 0);

    std::size_t bytes() const;
    /// The number of full tiles within the limit.
    std::size_t most_tiles() const;
    void set_byte_limit(std::size_t byte_limit);

private:
    struct Entry {
        Bins bins;
        std::list<MapTile>::iterator used;
    };

    MapPyramid(std::int64_t rows, std::int64_t columns, Pool pool, std::size_t byte_limit,
               std::shared_ptr<MapPyramid> a = nullptr, std::shared_ptr<MapPyramid> b = nullptr);
    Bins find_locked(const MapTile& tile);
    void keep_locked(const MapTile& tile, Bins bins);
    void drop_locked();
    Bins make(const MapTile& tile, const RunControl& control, int threads);
    Bins merged(const MapTile& tile);
    void merge_upwards(MapTile tile);
    BinGrid base_strip(std::int64_t row) const;
    void keep_base(std::int64_t row, const MapBins& strip, const Seen& seen);
    void require(const MapTile& tile) const;

    const std::int64_t rows_, columns_;
    std::shared_ptr<const AttentionMap> map_;
    const std::shared_ptr<MapPyramid> a_, b_; ///< null, except of a difference
    const Pool pool_;
    int base_level_ = 0, top_level_ = 0;
    int rows_behind_ = 0, columns_behind_ = 0; ///< levels on which bins are one cell high, or wide
    mutable std::mutex mutex_;
    std::condition_variable made_;
    std::size_t byte_limit_, bytes_ = 0;
    std::map<MapTile, Entry> cache_;
    std::list<MapTile> used_; ///< most recently used first
    std::set<MapTile> making_;
};

} // namespace attnlab
