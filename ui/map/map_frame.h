// Which cells of a large map are in sight, and where. Pure geometry: nothing is painted here.
#pragma once

#include "core/map/attention_map.h"
#include "ui/view_state.h"

#include <QRectF>

#include <optional>

namespace attnlab::ui {

/// A map of rows x columns cells seen through a rectangle of pixels. Cells are square unless the map is much longer one
/// way than the other; then they are stretched so that all of it fills the rectangle.
class MapFrame {
public:
    static constexpr double largest_cell = 72.0; ///< pixels

    void setMap(std::int64_t rows, std::int64_t columns);
    void setBody(const QRectF& body);

    const QRectF& body() const { return body_; }
    std::int64_t rows() const { return rows_; }
    std::int64_t columns() const { return columns_; }
    double cellWidth() const { return scale_; }
    double cellHeight() const { return scale_ * aspect_; }

    /// Everything in sight, centred.
    void fit();
    bool isFitted() const { return scale_ <= fitScale() * 1.0001; }
    /// `factor` above 1 enlarges; the cell at `fixed` (pixels) stays where it is.
    void zoom(double factor, const QPointF& fixed);
    void pan(const QPointF& pixels);
    /// Cells `x .. x + width` by `y .. y + height` in sight, as large as fits.
    void showCells(const QRectF& cells);
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
    double fitScale() const;
    void clamp();

    std::int64_t rows_ = 1, columns_ = 1;
    QRectF body_{0, 0, 1, 1};
    double scale_ = 1.0;  ///< pixels a column
    double aspect_ = 1.0; ///< height of a cell over its width
    QPointF centre_;      ///< in cells
};

} // namespace attnlab::ui
