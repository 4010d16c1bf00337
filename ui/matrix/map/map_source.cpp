#include "ui/matrix/map/map_source.h"

#include "ui/drawing/heatmap_painter.h"
#include "ui/drawing/matrix_image.h"
#include "ui/matrix/map/map_colors.h"
#include "ui/widgets/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
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
void paintBins(QPainter& painter, const MatrixSight& sight, const QImage& image, const BinGrid& grid,
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
    setSight(sight_);
    emit changed();
}

CellRect MapSource::cellsInSight() const {
    const QRect cells = sight_.frame.visibleCells();
    return {cells.top(), cells.top() + cells.height(), cells.left(), cells.left() + cells.width()};
}

/// Requests the visible tiles, the nearest to the centre first.
void MapSource::setSight(const MatrixSight& sight) {
    sight_ = sight;
    const bool seen = sight.scale.map && !sight.frame.body.isEmpty();
    const auto pyramid = seen ? session_.pyramid() : nullptr;
    const CellRect cells = cellsInSight();
    if (pyramid) {
        std::vector<MapTile> missing;
        for (const auto& tile : pyramid->tiles_over(level(), cells))
            if (!pyramid->find(tile))
                missing.push_back(tile);
        session_.want(missing);
    }
    images_.want({pyramid, seen ? session_.parts() : MapParts(), session_.choice().pool, sight.scale,
                  sight.look.warning_soft.rgb(), level(), cells});
}

int MapSource::level() const {
    const auto pyramid = session_.pyramid();
    if (!pyramid || sight_.frame.body.isEmpty())
        return 0;
    int level = pyramid->level_for(1.0 / (sight_.frame.cellHeight() * sight_.pixel_ratio),
                                   1.0 / (sight_.frame.cellWidth() * sight_.pixel_ratio));
    // With more visible tiles than the cache can hold, they would be recomputed again and again.
    while (level < pyramid->top_level() && pyramid->tiles_over(level, cellsInSight()).size() > pyramid->most_tiles())
        ++level;
    return level;
}

bool MapSource::isComplete() const {
    const auto pyramid = session_.pyramid();
    if (!pyramid)
        return false;
    const auto tiles = pyramid->tiles_over(level(), cellsInSight());
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
    const auto from_row = knownFromRow(cell);
    return from_row ? from_row : knownFromTiles(cell);
}

std::optional<MapSource::Known> MapSource::knownFromRow(Cell cell) const {
    const auto* weights = row_ && cell.row == row_number_ ? row_->trace.find("weights") : nullptr;
    const auto column = static_cast<std::size_t>(cell.column);
    if (!weights || column >= static_cast<std::size_t>(weights->value.size()))
        return std::nullopt;
    return Known{weights->value.at({0, 0, 0, cell.column}), column < row_masked_.size() && row_masked_[column]};
}

std::optional<MapSource::Known> MapSource::knownFromTiles(Cell cell) const {
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
    const Known found{binValue(*bins, bin, Pool::Max), bins->masked(bin), tile.level == 0 || bins->masked(bin)};
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
    return bins->masked(bin) ? std::nullopt : std::optional(binValue(*bins, bin, session_.choice().pool));
}

QString MapSource::textOf(Cell cell) const {
    const auto found = known(cell);
    if (!found)
        return {};
    const QString text = found->exact ? tr("%1 → %2: %3", "query token → key token: weight")
                                      : tr("%1 → %2: at most %3", "query token → key token: weight");
    return text.arg(axes_.rows.label(cell.row), axes_.columns.label(cell.column),
                    found->masked ? tr("masked") : numberText(found->weight, 6));
}

/// True when some visible tiles are coloured.
bool MapSource::hasTiles() const {
    const auto pyramid = session_.pyramid();
    return pyramid && !images_.covering({pyramid->top_level(), 0, 0}).second.isNull();
}

bool MapSource::hasCells() const { return hasTiles() || !images_.parts().empty(); }

/// Paints each tile, or part of the nearest coarser one available; before there are tiles, the rows computed so far.
void MapSource::paint(QPainter& painter, const MatrixSight& sight) const {
    const QRectF& seen = sight.frame.body;
    painter.save();
    painter.setClipRect(seen);
    if (const auto pyramid = hasTiles() ? session_.pyramid() : nullptr) {
        paintHatch(painter, seen, sight.look);
        for (const auto& tile : pyramid->tiles_over(level(), cellsInSight())) {
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

void MapSource::paintWhole(QPainter& painter, const QRectF& area, const MatrixSight&) const {
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
