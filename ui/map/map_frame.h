// Which cells of a large map are in sight, and where. Pure geometry: nothing is painted here.
#pragma once

#include "core/map/map_pyramid.h"
#include "ui/view_state.h"

#include <QRectF>

#include <algorithm>
#include <optional>

namespace attnlab::ui {

/// A map of rows x columns cells seen through a rectangle of pixels. Cells are square unless the map is much longer one
/// way than the other; then they are stretched so that all of it fills the rectangle, and become square as one zooms
/// in.
class MapFrame {
public:
    static constexpr double largest_cell = 72.0; ///< pixels

    void setMap(std::int64_t rows, std::int64_t columns);
    void setBody(const QRectF& body);

    const QRectF& body() const { return body_; }
    std::int64_t rows() const { return rows_; }
    std::int64_t columns() const { return columns_; }
    double cellWidth() const { return enlarged(fitted().width()); }
    double cellHeight() const { return enlarged(fitted().height()); }

    /// Of the whole map in pixels when all of it is in sight.
    QSizeF fittedSize() const {
        return {fitted().width() * static_cast<double>(columns_), fitted().height() * static_cast<double>(rows_)};
    }
    /// Everything in sight, centred.
    void fit();
    bool isFitted() const { return zoom_ <= 1.0001; }
    /// `factor` above 1 enlarges; the cell at `fixed` (pixels) stays where it is.
    void zoom(double factor, const QPointF& fixed);
    void pan(const QPointF& pixels);
    /// Cells `x .. x + width` by `y .. y + height` in sight, as large as fits.
    void showCells(const QRectF& cells);
    /// The cell in the middle, its shorter side of at least so many pixels.
    void showCell(Cell cell, double least);
    void centreOn(const QPointF& cell);

    /// In cells, x along columns; cut at the edges of the map.
    QRectF visible() const;
    CellRect visibleCells() const;
    /// Where the whole map lies, in pixels; parts may lie outside the body.
    QRectF mapRect() const { return rectOf(QRectF(0, 0, static_cast<double>(columns_), static_cast<double>(rows_))); }
    QRectF rectOf(const QRectF& cells) const;
    QRectF rectOf(const CellRect& cells) const;
    QRectF rectOf(Cell cell) const { return rectOf(QRectF(cell.column, cell.row, 1, 1)); }
    QPointF toCells(const QPointF& pixels) const;
    std::optional<Cell> cellAt(const QPointF& pixels) const;

private:
    QSizeF fitted() const;
    double enlarged(double fitted) const { return std::min(fitted * zoom_, std::max(fitted, largest_cell)); }
    double largestZoom() const;
    void setZoom(double zoom) { zoom_ = std::clamp(zoom, 1.0, largestZoom()); }
    void clamp();

    std::int64_t rows_ = 1, columns_ = 1;
    QRectF body_{0, 0, 1, 1};
    double zoom_ = 1.0; ///< over what fits
    QPointF centre_;    ///< in cells
};

} // namespace attnlab::ui
