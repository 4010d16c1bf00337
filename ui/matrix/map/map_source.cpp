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

std::optional<MapBins> MapSource::binOf(Cell cell) const {
    const auto pyramid = session_.pyramid();
    if (!pyramid || cell.row < 0 || cell.column < 0 || cell.row >= axes_.rows.count ||
        cell.column >= axes_.columns.count)
        return std::nullopt;
    const BinGrid one{{cell.row, cell.row + 1, cell.column, cell.column + 1}, 1, 1};
    return pyramid->map().pool(one, Pool::Max, {}, 1);
}

std::optional<double> MapSource::valueAt(Cell cell) const {
    const auto bin = binOf(cell);
    return bin ? std::optional(binValue(*bin, 0, Pool::Max)) : std::nullopt;
}

bool MapSource::isMasked(Cell cell) const {
    const auto bin = binOf(cell);
    return bin && bin->masked(0);
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
    const auto bin = binOf(cell);
    if (!bin)
        return {};
    return tr("%1 → %2: %3", "query token → key token: weight")
        .arg(axes_.rows.label(cell.row), axes_.columns.label(cell.column),
             bin->masked(0) ? tr("masked") : numberText(binValue(*bin, 0, Pool::Max), 6));
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
