#include "core/map/map_pyramid.h"

#include "core/map/bin_totals.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace attnlab {
namespace {

std::int64_t divided_up(std::int64_t size, std::int64_t by) { return (size + by - 1) / by; }

/// The finest level with at most `bins` bins along a side of `cells` cells.
int level_of(std::int64_t cells, std::int64_t bins) {
    int level = 0;
    while (divided_up(cells, std::int64_t{1} << level) > bins)
        ++level;
    return level;
}

/// At most one tile of `bins` from a row and column on.
MapBins cut(const MapBins& bins, std::int64_t first_row, std::int64_t first_column) {
    const auto rows = std::min(MapPyramid::tile_bins, bins.rows - first_row);
    const auto columns = std::min(MapPyramid::tile_bins, bins.columns - first_column);
    auto tile = bins_of(rows, columns, !bins.sum.empty());
    const auto copy = [&](const Floats& from, Floats& to) {
        for (std::int64_t row = 0; row < rows && !to.empty(); ++row)
            std::copy_n(from.data() + bins.index(first_row + row, first_column), columns,
                        to.data() + tile.index(row, 0));
    };
    copy(bins.log2_max, tile.log2_max);
    copy(bins.sum, tile.sum);
    copy(bins.kept, tile.kept);
    return tile;
}

} // namespace

MapPyramid::MapPyramid(std::int64_t rows, std::int64_t columns, Pool pool, std::size_t byte_limit,
                       std::shared_ptr<MapPyramid> a, std::shared_ptr<MapPyramid> b)
    : rows_(rows), columns_(columns), a_(std::move(a)), b_(std::move(b)), pool_(pool), byte_limit_(byte_limit) {
    const auto longest = std::max(rows, columns);
    const auto behind = [](std::int64_t side, std::int64_t other) {
        int levels = 0;
        while (side > 0 && other / side > most_unequal && (side << (levels + 1)) <= other)
            ++levels;
        return levels;
    };
    rows_behind_ = behind(rows, columns);
    columns_behind_ = behind(columns, rows);
    top_level_ = level_of(longest, tile_bins);
    base_level_ = std::min(std::max(level_of(longest, base_bins), finest_base), top_level_);
}

MapPyramid::MapPyramid(std::shared_ptr<const AttentionMap> map, Pool pool, std::size_t byte_limit)
    : MapPyramid(map->rows(), map->columns(), pool, byte_limit) {
    map_ = std::move(map);
}

MapPyramid::MapPyramid(std::shared_ptr<const MapInputs> inputs, std::int64_t batch, std::int64_t head, Pool pool,
                       std::size_t byte_limit, const RunControl& control, int threads, const Seen& seen)
    : MapPyramid(inputs->rows(), inputs->columns(), pool, byte_limit) {
    if (pool == Pool::Max) {
        const FirstBins bins{
            bin_rows(base_level_), bin_columns(base_level_), tile_bins,
            [&](std::int64_t first_row, const MapBins& strip) { keep_base(first_row / tile_bins, strip, seen); }};
        map_ = std::make_shared<const AttentionMap>(std::move(inputs), batch, head, bins, control, threads);
    } else {
        map_ = std::make_shared<const AttentionMap>(std::move(inputs), batch, head, control.part(0.0, 0.5), threads);
        build(control.part(0.5, 1.0), threads, seen);
    }
}

MapPyramid::MapPyramid(const std::shared_ptr<MapPyramid>& a, const std::shared_ptr<MapPyramid>& b, Pool pool,
                       std::size_t byte_limit)
    : MapPyramid(b->rows_, b->columns_, pool, byte_limit, a, b) {
    require_equal_size(a->map().all(), b->map().all());
    map_ = b->map_;
}

int MapPyramid::level_for(double rows_per_pixel, double columns_per_pixel) const {
    int level = 0;
    while (level < top_level_ && (static_cast<double>(bin_rows(level)) < rows_per_pixel ||
                                  static_cast<double>(bin_columns(level)) < columns_per_pixel))
        ++level;
    return level;
}

std::int64_t MapPyramid::tile_rows(int level) const { return divided_up(rows_, tile_bins * bin_rows(level)); }
std::int64_t MapPyramid::tile_columns(int level) const { return divided_up(columns_, tile_bins * bin_columns(level)); }

BinGrid MapPyramid::grid(const MapTile& tile) const {
    const auto rows = tile_bins * bin_rows(tile.level), columns = tile_bins * bin_columns(tile.level);
    return {{tile.row * rows, std::min((tile.row + 1) * rows, rows_), tile.column * columns,
             std::min((tile.column + 1) * columns, columns_)},
            bin_rows(tile.level),
            bin_columns(tile.level)};
}

MapTile MapPyramid::parent(const MapTile& tile) const {
    const auto next = tile.level + 1;
    return {next, tile.row / (bin_rows(next) / bin_rows(tile.level)),
            tile.column / (bin_columns(next) / bin_columns(tile.level))};
}

std::vector<MapTile> MapPyramid::tiles_over(int level, const CellRect& view) const {
    const auto high = tile_bins * bin_rows(level), wide = tile_bins * bin_columns(level);
    const auto first = [](std::int64_t cell, std::int64_t cells) { return std::max<std::int64_t>(0, cell) / cells; };
    const auto last = [](std::int64_t cell, std::int64_t cells, std::int64_t count) {
        return std::min(divided_up(std::max<std::int64_t>(0, cell), cells), count);
    };
    const auto last_row = last(view.last_row, high, tile_rows(level));
    const auto last_column = last(view.last_column, wide, tile_columns(level));
    std::vector<MapTile> tiles;
    for (auto row = first(view.first_row, high); row < last_row && view.rows() > 0; ++row)
        for (auto column = first(view.first_column, wide); column < last_column && view.columns() > 0; ++column)
            tiles.push_back({level, row, column});
    const auto distance = [&](const MapTile& tile) {
        const auto away = [](std::int64_t index, std::int64_t cells, std::int64_t from, std::int64_t to) {
            return (static_cast<double>(index) + 0.5) * static_cast<double>(cells) -
                   0.5 * static_cast<double>(from + to);
        };
        return std::hypot(away(tile.row, high, view.first_row, view.last_row),
                          away(tile.column, wide, view.first_column, view.last_column));
    };
    std::stable_sort(tiles.begin(), tiles.end(),
                     [&](const MapTile& a, const MapTile& b) { return distance(a) < distance(b); });
    return tiles;
}

void MapPyramid::require(const MapTile& tile) const {
    if (tile.level < 0 || tile.level > top_level_ || tile.row < 0 || tile.row >= tile_rows(tile.level) ||
        tile.column < 0 || tile.column >= tile_columns(tile.level))
        throw Error({ATTNLAB_TEXT("map: there is no tile %1, %2 on level %3"),
                     {std::to_string(tile.row), std::to_string(tile.column), std::to_string(tile.level)}});
}

MapPyramid::Bins MapPyramid::find_locked(const MapTile& tile) {
    const auto found = cache_.find(tile);
    if (found == cache_.end())
        return nullptr;
    used_.splice(used_.begin(), used_, found->second.used);
    return found->second.bins;
}

MapPyramid::Bins MapPyramid::find(const MapTile& tile) {
    const std::lock_guard lock(mutex_);
    return find_locked(tile);
}

std::pair<MapTile, MapPyramid::Bins> MapPyramid::find_covering(MapTile tile) {
    const std::lock_guard lock(mutex_);
    for (; tile.level <= top_level_; tile = parent(tile))
        if (auto bins = find_locked(tile))
            return {tile, std::move(bins)};
    return {tile, nullptr};
}

void MapPyramid::keep_locked(const MapTile& tile, Bins bins) {
    if (find_locked(tile))
        return;
    bytes_ += bins->bytes();
    used_.push_front(tile);
    cache_.emplace(tile, Entry{std::move(bins), used_.begin()});
    drop_locked();
}

void MapPyramid::drop_locked() {
    while (bytes_ > byte_limit_ && used_.size() > 1) {
        const auto oldest = cache_.find(used_.back());
        bytes_ -= oldest->second.bins->bytes();
        cache_.erase(oldest);
        used_.pop_back();
    }
}

MapPyramid::Bins MapPyramid::request(const MapTile& tile, const RunControl& control, int threads) {
    using namespace std::chrono_literals;
    require(tile);
    std::unique_lock lock(mutex_);
    for (;;) {
        if (auto bins = find_locked(tile))
            return bins;
        if (!making_.contains(tile))
            break;
        made_.wait_for(lock, 10ms); // the other computation, or this one, may be cancelled
        lock.unlock();
        control.checkpoint();
        lock.lock();
    }
    making_.insert(tile);
    lock.unlock();
    Bins bins;
    const auto finish = [&] {
        lock.lock();
        making_.erase(tile);
        if (bins)
            keep_locked(tile, bins);
        lock.unlock();
        made_.notify_all();
    };
    try {
        bins = make(tile, control, threads);
    } catch (...) {
        finish();
        throw;
    }
    finish();
    return bins;
}

MapPyramid::Bins MapPyramid::make(const MapTile& tile, const RunControl& control, int threads) {
    if (a_)
        return std::make_shared<const MapBins>(difference_of(*a_->request(tile, control, threads),
                                                             *b_->request(tile, control, threads), grid(tile), pool_));
    if (auto bins = merged(tile))
        return bins;
    return std::make_shared<const MapBins>(map_->pool(grid(tile), pool_, control, threads));
}

/// Merged from the finer tiles (four, or two in a strip) if all are in the cache; null otherwise.
MapPyramid::Bins MapPyramid::merged(const MapTile& tile) {
    if (tile.level == 0)
        return nullptr;
    const auto finer = tile.level - 1;
    const auto cells = grid(tile);
    const auto high = bin_rows(tile.level) / bin_rows(finer), wide = bin_columns(tile.level) / bin_columns(finer);
    const auto rows = std::min(high, tile_rows(finer) - high * tile.row);
    const auto columns = std::min(wide, tile_columns(finer) - wide * tile.column);
    std::vector<Bins> parts;
    {
        const std::lock_guard lock(mutex_);
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t column = 0; column < columns; ++column) {
                const auto found = cache_.find({finer, high * tile.row + row, wide * tile.column + column});
                if (found == cache_.end())
                    return nullptr;
                parts.push_back(found->second.bins);
            }
    }
    auto bins = bins_of(cells.rows(), cells.columns(), pool_ == Pool::Mean);
    for (std::int64_t row = 0; row < bins.rows; ++row)
        for (std::int64_t column = 0; column < bins.columns; ++column) {
            const auto& part =
                *parts[static_cast<std::size_t>(high * row / tile_bins * columns + wide * column / tile_bins)];
            const auto finer_row = high * row % tile_bins, finer_column = wide * column % tile_bins;
            BinTotal total;
            for (auto r = finer_row; r < std::min(finer_row + high, part.rows); ++r)
                for (auto c = finer_column; c < std::min(finer_column + wide, part.columns); ++c)
                    total.take(part, part.index(r, c));
            total.put(bins, bins.index(row, column));
        }
    return std::make_shared<const MapBins>(std::move(bins));
}

/// Makes the coarser tiles above `tile` whose other parts are complete.
void MapPyramid::merge_upwards(MapTile tile) {
    while (tile.level < top_level_) {
        tile = parent(tile);
        auto bins = merged(tile);
        if (!bins)
            return;
        const std::lock_guard lock(mutex_);
        keep_locked(tile, std::move(bins));
    }
}

void MapPyramid::build(const RunControl& control, int threads, const Seen& seen) {
    if (a_) {
        request({top_level_, 0, 0}, control, threads);
        return;
    }
    const auto rows = tile_rows(base_level_);
    for (std::int64_t row = 0; row < rows; ++row) {
        const auto bins = map_->pool(base_strip(row), pool_,
                                     control.part(static_cast<double>(row) / static_cast<double>(rows),
                                                  static_cast<double>(row + 1) / static_cast<double>(rows)),
                                     threads);
        keep_base(row, bins, seen);
    }
}

BinGrid MapPyramid::base_strip(std::int64_t row) const {
    auto strip = grid({base_level_, row, 0});
    strip.cells.last_column = columns_;
    return strip;
}

/// Stores a row of tiles of the base level, and the tiles that can be merged from it.
void MapPyramid::keep_base(std::int64_t row, const MapBins& strip, const Seen& seen) {
    if (seen)
        seen(base_strip(row), strip);
    for (std::int64_t column = 0; column < tile_columns(base_level_); ++column) {
        const MapTile tile{base_level_, row, column};
        auto part = std::make_shared<const MapBins>(cut(strip, 0, column * tile_bins));
        {
            const std::lock_guard lock(mutex_);
            keep_locked(tile, std::move(part));
        }
        merge_upwards(tile);
    }
}

MapBins MapPyramid::overview(std::int64_t most_bins, const RunControl& control, int threads) {
    const auto whole = request({top_level_, 0, 0}, control, threads);
    return coarser(*whole, std::max<std::int64_t>(1, divided_up(whole->rows, most_bins)),
                   std::max<std::int64_t>(1, divided_up(whole->columns, most_bins)));
}

std::size_t MapPyramid::bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

std::size_t MapPyramid::most_tiles() const {
    constexpr std::size_t bins = tile_bins * tile_bins;
    const std::lock_guard lock(mutex_);
    return std::max<std::size_t>(1, byte_limit_ / (bins * sizeof(float) * (pool_ == Pool::Mean ? 3 : 2)));
}

void MapPyramid::set_byte_limit(std::size_t byte_limit) {
    const std::lock_guard lock(mutex_);
    byte_limit_ = byte_limit;
    drop_locked();
}

} // namespace attnlab
