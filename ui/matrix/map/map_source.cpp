#include "ui/matrix/map/map_source.h"

#include "ui/drawing/heatmap_painter.h"
#include "ui/drawing/matrix_data.h"
#include "ui/matrix/map/screen_bins.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <QMetaObject>
#include <QPainter>

namespace attnlab::ui {

/// The input and output of the worker.
struct TileImages::Round {
    VisibleMap sight;
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

void TileImages::want(const VisibleMap& sight) {
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

MapParts TileImages::missingParts() const {
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
        round.parts = missingParts();
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
        const VisibleMap& sight = round->sight;
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

namespace {

QRectF placeOf(const HeatmapFrame& frame, const CellRect& cells) {
    return frame.rectOf(QRect(static_cast<int>(cells.first_column), static_cast<int>(cells.first_row),
                              static_cast<int>(cells.columns()), static_cast<int>(cells.rows())));
}

/// Aligned to pixels, so that tiles leave no gap.
QRectF onPixels(const QRectF& place, double ratio) {
    const auto edge = [ratio](double at) { return std::round(at * ratio) / ratio; };
    QRectF moved;
    moved.setCoords(edge(place.left()), edge(place.top()), edge(place.right()), edge(place.bottom()));
    return moved;
}

/// Paints the bins of some cells of a grid. The last bins may have fewer cells, so positions are computed from cells.
void paintBins(QPainter& painter, const VisibleMatrix& sight, const QImage& image, const BinGrid& grid,
               const CellRect& cells) {
    const auto high = static_cast<double>(grid.bin_rows), wide = static_cast<double>(grid.bin_columns);
    const QRectF part(static_cast<double>(cells.first_column - grid.cells.first_column) / wide,
                      static_cast<double>(cells.first_row - grid.cells.first_row) / high,
                      static_cast<double>(cells.columns()) / wide, static_cast<double>(cells.rows()) / high);
    painter.drawImage(onPixels(placeOf(sight.frame, cells), sight.pixel_ratio), image, part);
}

} // namespace

MapSource::MapSource(MapSession& session, QObject* parent) : MatrixSource(parent), session_(session) {
    connect(&session_, &MapSession::tileReady, this, &MapSource::renew); // others may still be missing
    connect(&images_, &TileImages::changed, this, &MatrixSource::changed);
}

void MapSource::setShape(std::int64_t rows, std::int64_t columns, const QStringList& row_labels,
                         const QStringList& column_labels) {
    axes_ = {{.count = rows, .labels = row_labels, .title = {}},
             {.count = columns, .labels = column_labels, .title = {}}};
    sight_ = {};
    row_.reset();
}

void MapSource::renew() {
    setVisiblePart(sight_);
    emit changed();
}

CellRect MapSource::visibleCellRange() const {
    const QRect cells = sight_.frame.visibleCells();
    return {cells.top(), cells.top() + cells.height(), cells.left(), cells.left() + cells.width()};
}

/// Requests the visible tiles, the nearest to the centre first.
void MapSource::setVisiblePart(const VisibleMatrix& sight) {
    sight_ = sight;
    const bool seen = sight.scale.map && !sight.frame.body.isEmpty();
    const auto pyramid = seen ? session_.pyramid() : nullptr;
    const CellRect cells = visibleCellRange();
    if (pyramid) {
        std::vector<MapTile> missing;
        for (const auto& tile : pyramid->tiles_over(level(), cells))
            if (!pyramid->find(tile))
                missing.push_back(tile);
        session_.want(missing);
    }
    images_.want({pyramid, seen ? session_.parts() : MapParts(), session_.shownPool(), shownOn(sight.look, sight.scale),
                  sight.look.warning_soft.rgb(), level(), cells});
}

int MapSource::level() const {
    const auto pyramid = session_.pyramid();
    if (!pyramid || sight_.frame.body.isEmpty())
        return 0;
    int level = pyramid->level_for(1.0 / (sight_.frame.cellHeight() * sight_.pixel_ratio),
                                   1.0 / (sight_.frame.cellWidth() * sight_.pixel_ratio));
    // With more visible tiles than the cache can hold, they would be recomputed again and again.
    while (level < pyramid->top_level() &&
           pyramid->tiles_over(level, visibleCellRange()).size() > pyramid->most_tiles())
        ++level;
    return level;
}

bool MapSource::isComplete() const {
    const auto pyramid = session_.pyramid();
    if (!pyramid)
        return false;
    const auto tiles = pyramid->tiles_over(level(), visibleCellRange());
    return images_.isSettled() &&
           std::all_of(tiles.begin(), tiles.end(), [&](const MapTile& tile) { return pyramid->find(tile) != nullptr; });
}

void MapSource::setRow(ComputedPtr computed, const AttentionProblem& problem, int row) {
    row_ = std::move(computed);
    row_number_ = row;
    row_masked_.clear();
    if (const auto mask = problem.tensors.find("attn_mask"); mask != problem.tensors.end())
        for (const double blocked : mask->second.values())
            row_masked_.push_back(blocked != 0.0);
    emit changed();
}

std::optional<MapSource::Known> MapSource::known(Cell cell) const {
    if (cell.row < 0 || cell.column < 0 || cell.row >= axes_.rows.count || cell.column >= axes_.columns.count)
        return std::nullopt;
    const auto from_row = lookUpInRow(cell);
    return from_row ? from_row : lookUpInTiles(cell);
}

std::optional<MapSource::Known> MapSource::lookUpInRow(Cell cell) const {
    const auto* weights = row_ && cell.row == row_number_ ? row_->trace.find("weights") : nullptr;
    const auto column = static_cast<std::size_t>(cell.column);
    if (!weights || column >= static_cast<std::size_t>(weights->value.size()))
        return std::nullopt;
    return Known{weights->value.at({0, 0, 0, cell.column}), column < row_masked_.size() && row_masked_[column]};
}

std::optional<MapSource::Known> MapSource::lookUpInTiles(Cell cell) const {
    const auto pyramid = session_.pyramid();
    if (!pyramid)
        return std::nullopt;
    const auto [tile, bins] =
        pyramid->find_covering({0, cell.row / MapPyramid::tile_bins, cell.column / MapPyramid::tile_bins});
    if (!bins)
        return std::nullopt;
    const BinGrid grid = pyramid->grid(tile);
    const auto bin = bins->index((cell.row - grid.cells.first_row) / grid.bin_rows,
                                 (cell.column - grid.cells.first_column) / grid.bin_columns);
    const Pool pool = isDifference() ? Pool::Mean : Pool::Max;
    const Known found{binValue(*bins, bin, pool), bins->masked(bin), tile.level == 0 || bins->masked(bin)};
    if (!found.exact && std::isnan(found.weight))
        return std::nullopt; // of some cell of the bin
    return found;
}

std::optional<double> MapSource::numberAt(Cell cell) const {
    const auto pyramid = session_.pyramid();
    if (!pyramid)
        return std::nullopt;
    const MapTile tile{0, cell.row / MapPyramid::tile_bins, cell.column / MapPyramid::tile_bins};
    const auto bins = pyramid->find(tile);
    if (!bins)
        return std::nullopt;
    const auto bin = bins->index(cell.row % MapPyramid::tile_bins, cell.column % MapPyramid::tile_bins);
    return bins->masked(bin) ? std::nullopt : std::optional(binValue(*bins, bin, session_.shownPool()));
}

bool MapSource::isDifference() const { return session_.choice().side == MapSide::Difference; }

const MatrixProfiles* MapSource::profiles() const { return isDifference() ? nullptr : &images_.profiles(); }

QString MapSource::textOf(Cell cell) const {
    const auto found = known(cell);
    if (!found)
        return {};
    const QString text = found->exact     ? tr("%1 → %2: %3", "query token → key token: weight")
                         : isDifference() ? tr("%1 → %2: %3 in its bin", "query token → key token: difference")
                                          : tr("%1 → %2: at most %3", "query token → key token: weight");
    return text.arg(axes_.rows.fullLabel(cell.row), axes_.columns.fullLabel(cell.column),
                    found->masked ? tr("masked") : numberText(found->weight, 6));
}

/// True when some visible tiles are coloured.
bool MapSource::hasTiles() const {
    const auto pyramid = session_.pyramid();
    return pyramid && !images_.covering({pyramid->top_level(), 0, 0}).second.isNull();
}

bool MapSource::hasCells() const { return hasTiles() || !images_.parts().empty(); }

/// Paints each tile, or part of the nearest coarser one available; before there are tiles, the rows computed so far.
void MapSource::paint(QPainter& painter, const VisibleMatrix& sight) const {
    const QRectF& seen = sight.frame.body;
    painter.save();
    painter.setClipRect(seen);
    if (const auto pyramid = hasTiles() ? session_.pyramid() : nullptr) {
        paintHatch(painter, seen, sight.look);
        for (const auto& tile : pyramid->tiles_over(level(), visibleCellRange())) {
            const auto [shown, image] = images_.covering(tile);
            if (!image.isNull())
                paintBins(painter, sight, image, pyramid->grid(shown), pyramid->grid(tile).cells);
        }
    } else {
        for (const auto& [part, image, colors] : images_.parts()) {
            paintHatch(painter, onPixels(placeOf(sight.frame, part->grid.cells), sight.pixel_ratio), sight.look);
            paintBins(painter, sight, image, part->grid, part->grid.cells);
        }
    }
    paintSeparators(painter, sight.frame, sight.look);
    painter.restore();
    painter.setPen(sight.look.border);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(seen.adjusted(-0.5, -0.5, 0.5, 0.5));
}

void MapSource::paintWhole(QPainter& painter, const QRectF& area, const VisibleMatrix&) const {
    const auto pyramid = session_.pyramid();
    if (!pyramid)
        return;
    const MapTile whole{pyramid->top_level(), 0, 0};
    const BinGrid grid = pyramid->grid(whole);
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(area, images_.covering(whole).second,
                      QRectF(0, 0, static_cast<double>(grid.cells.columns()) / static_cast<double>(grid.bin_columns),
                             static_cast<double>(grid.cells.rows()) / static_cast<double>(grid.bin_rows)));
    painter.restore();
}

} // namespace attnlab::ui
