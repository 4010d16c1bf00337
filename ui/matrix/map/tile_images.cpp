#include "ui/matrix/map/tile_images.h"

#include "ui/matrix/map/map_colors.h"

#include <QMetaObject>

#include <algorithm>

namespace attnlab::ui {

/// The input and output of the worker.
struct TileImages::Round {
    MapSight sight;
    int colors = 0;
    MapParts parts;              ///< to be coloured
    std::vector<TileBins> tiles; ///< to be coloured too
    std::vector<TileBins> seen;  ///< of the visible level
    bool profiles_wanted = false;
    std::vector<QImage> part_images, images;
    MatrixProfiles profiles;
};

TileImages::TileImages(QObject* parent) : QObject(parent) { pool_.setMaxThreadCount(1); }

TileImages::~TileImages() { pool_.waitForDone(); }

void TileImages::want(const MapSight& sight) {
    if (sight.pyramid != sight_.pyramid || sight.pool != sight_.pool) {
        pictures_.clear();
        used_.clear();
        profiles_ = {};
        profiled_.clear();
    }
    if (sight.scale != sight_.scale || sight.not_a_number != sight_.not_a_number)
        ++colors_;
    sight_ = sight;
    std::erase_if(parts_, [&](const PartImage& one) {
        return std::find(sight.parts.begin(), sight.parts.end(), one.part) == sight.parts.end();
    });
    if (!working_)
        work();
}

std::pair<MapTile, QImage> TileImages::covering(MapTile tile) const {
    for (const int top = sight_.pyramid ? sight_.pyramid->top_level() : -1; tile.level <= top;
         tile = sight_.pyramid->parent(tile))
        if (const auto found = pictures_.find(tile); found != pictures_.end())
            return {tile, found->second.image};
    return {tile, {}};
}

/// The tiles to be coloured; marks requested tiles that are done as most recently used.
std::vector<TileBins> TileImages::lacking() {
    std::vector<TileBins> tiles;
    in_sight_ = 0;
    auto wanted = sight_.pyramid->tiles_over(sight_.level, sight_.cells);
    wanted.push_back({sight_.pyramid->top_level(), 0, 0}); // for the minimap, and as a preview of everything else
    for (const auto& tile : wanted) {
        const auto [shown, bins] = sight_.pyramid->find_covering(tile);
        const bool listed =
            std::any_of(tiles.begin(), tiles.end(), [at = shown](const TileBins& one) { return one.first == at; });
        if (!bins || listed)
            continue;
        ++in_sight_;
        const auto found = pictures_.find(shown);
        if (found != pictures_.end())
            used_.splice(used_.begin(), used_, found->second.used);
        if (found == pictures_.end() || found->second.colors != colors_)
            tiles.emplace_back(shown, bins);
    }
    return tiles;
}

MapParts TileImages::lackingParts() const {
    MapParts parts;
    for (const auto& part : sight_.parts)
        if (std::none_of(parts_.begin(), parts_.end(),
                         [&](const PartImage& one) { return one.part == part && one.colors == colors_; }))
            parts.push_back(part);
    return parts;
}

/// False when there is no work.
bool TileImages::begin(Round& round) {
    round.sight = sight_;
    round.colors = colors_;
    if (!sight_.pyramid) {
        round.parts = lackingParts();
        return !round.parts.empty();
    }
    round.tiles = lacking();
    for (const auto& tile : sight_.pyramid->tiles_over(sight_.level, sight_.cells))
        if (auto bins = sight_.pyramid->find(tile))
            round.seen.emplace_back(tile, std::move(bins));
    round.profiles_wanted = round.seen != profiled_ || sight_.cells != profiled_cells_;
    return !round.tiles.empty() || round.profiles_wanted;
}

void TileImages::work() {
    auto round = std::make_shared<Round>();
    if (!begin(*round))
        return;
    working_ = true;
    pool_.start([this, round] {
        const MapSight& sight = round->sight;
        for (const auto& part : round->parts)
            round->part_images.push_back(imageOfBins(part->bins, sight.pool, sight.scale, sight.not_a_number));
        for (const auto& [tile, bins] : round->tiles)
            round->images.push_back(imageOfBins(*bins, sight.pool, sight.scale, sight.not_a_number));
        if (round->profiles_wanted)
            round->profiles =
                profilesOf(round->seen,
                           {sight.cells, sight.pyramid->bin_rows(sight.level), sight.pyramid->bin_columns(sight.level)},
                           sight.pool);
        QMetaObject::invokeMethod(
            this, [this, round] { take(*round); }, Qt::QueuedConnection);
    });
}

void TileImages::take(const Round& round) {
    working_ = false;
    for (std::size_t i = 0; i < round.parts.size(); ++i) {
        const auto& part = round.parts[i];
        if (std::find(sight_.parts.begin(), sight_.parts.end(), part) == sight_.parts.end())
            continue;
        std::erase_if(parts_, [&](const PartImage& one) { return one.part == part; });
        parts_.push_back({part, round.part_images[i], round.colors});
    }
    if (round.sight.pyramid == sight_.pyramid && round.sight.pool == sight_.pool) {
        for (std::size_t i = 0; i < round.tiles.size(); ++i) {
            const auto& tile = round.tiles[i].first;
            auto [place, added] = pictures_.try_emplace(tile);
            if (added)
                place->second.used = used_.insert(used_.begin(), tile);
            place->second.image = round.images[i];
            place->second.colors = round.colors;
        }
        drop();
        if (round.profiles_wanted) {
            profiles_ = round.profiles;
            profiled_ = round.seen;
            profiled_cells_ = round.sight.cells;
        }
    }
    work();
    emit changed();
}

/// Drops the tiles invisible for longest when there are too many.
void TileImages::drop() {
    while (used_.size() > most_kept + in_sight_) {
        pictures_.erase(used_.back());
        used_.pop_back();
    }
}

} // namespace attnlab::ui
