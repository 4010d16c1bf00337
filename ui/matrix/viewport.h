// Which cells of a matrix are visible, and where; and the minimap that shows it.
#pragma once

#include "ui/drawing/heatmap_layout.h"
#include "ui/matrix/matrix_source.h"

#include <cstdint>
#include <QPointF>
#include <QRectF>
#include <QSizeF>

namespace attnlab::ui {

/// Pan and zoom, independent of the view's size: views of matrices of equal shape can follow each other.
struct ViewPosition {
    double zoom = 1.0; ///< relative to the fitted size; 1: the whole matrix is visible
    QPointF centre;    ///< in cells, x along columns
    bool operator==(const ViewPosition&) const = default;
};

/// A matrix of rows x columns cells in a room of pixels. While all of it fits, cells have the size given by the layout;
/// enlarged, they become square and fill the room.
class Viewport {
public:
    /// A new shape is shown as a whole.
    void setShape(std::int64_t rows, std::int64_t columns);
    /// The available room, the size of a cell when all are visible, and the size of a device pixel.
    void setRoom(const QRectF& room, const QSizeF& fitted, double pixel);
    /// Cells that do not fill the height of the room stand at its top, else in its middle.
    void setAtTop(bool at_top) { at_top_ = at_top; }

    std::int64_t rows() const { return rows_; }
    std::int64_t columns() const { return columns_; }
    double cellWidth() const { return enlarged(fitted_.width()); }
    double cellHeight() const { return enlarged(fitted_.height()); }
    /// Largest side of a cell: two of them fit the room.
    double largestCell() const;
    /// The visible cells: the whole room, or as much of it as the matrix fills.
    HeatmapFrame frame() const;
    /// Size of the whole matrix in pixels when all of it is visible.
    QSizeF fittedSize() const;

    bool isFitted() const { return position_.zoom <= 1.0001; }
    void fit();
    /// `factor` above 1 enlarges; the cell at `fixed` (pixels) stays there.
    void zoom(double factor, const QPointF& fixed);
    void pan(const QPointF& pixels);
    void centreOn(const QPointF& cell);
    /// Scrolls no more than needed.
    void show(Cell cell);
    /// Centres the cell, with a shorter side of at least `least` pixels.
    void showLarge(Cell cell, double least);
    /// Cells `x .. x + width` by `y .. y + height`, as large as possible.
    void showCells(const QRectF& cells);

    const ViewPosition& position() const { return position_; }
    void setPosition(const ViewPosition& position);

private:
    double enlarged(double fitted) const;
    double largestZoom() const;
    void setZoom(double zoom);
    void clamp();

    std::int64_t rows_ = 0, columns_ = 0;
    QRectF room_;
    QSizeF fitted_{1, 1};
    double pixel_ = 1.0;
    bool at_top_ = false;
    ViewPosition position_;
};

} // namespace attnlab::ui

class QPainter;

namespace attnlab::ui {

/// Its place for one position of the matrix: below the colour bar, where it hides no cell, or over the cells of a view
/// without a colour bar.
class Minimap {
public:
    /// `layout` is the one for the whole matrix.
    Minimap(const Viewport& viewport, const HeatmapLayout& layout);

    /// False while all cells are in sight, for matrices of few cells and in small views; place() is empty then.
    bool isNeeded() const { return !place_.isEmpty(); }
    const QRectF& place() const { return place_; }
    bool contains(const QPointF& position) const { return place_.contains(position); }
    /// Where the colour bar above it ends.
    double endOfColorBar() const;
    /// The cell at a position in place(), x along columns.
    QPointF cellAt(const QPointF& position) const;
    void paint(QPainter& painter, const MatrixSource& source, const VisibleMatrix& sight) const;

private:
    QRectF place_;
    QSizeF cells_; ///< rows and columns of the matrix
};

} // namespace attnlab::ui
