// Which cells of a matrix can be seen, and where. Pure geometry: nothing is painted here.
#pragma once

#include "ui/drawing/heatmap_layout.h"

#include <cstdint>

namespace attnlab::ui {

/// Pan and zoom, whatever the size of the view: views of matrices of one shape can follow each other.
struct ViewPosition {
    double zoom = 1.0; ///< over what fits; 1: all of the matrix can be seen
    QPointF centre;    ///< in cells, x along columns
    bool operator==(const ViewPosition&) const = default;
};

/// A matrix of rows x columns cells in a room of pixels. While all of it fits, cells have the size that the layout gave
/// them; enlarged, they become square and fill the room.
class Viewport {
public:
    /// Another shape is seen whole.
    void setShape(std::int64_t rows, std::int64_t columns);
    /// Where cells may be, the size of a cell when all of them are seen, and the size of a device pixel.
    void setRoom(const QRectF& room, const QSizeF& fitted, double pixel);

    std::int64_t rows() const { return rows_; }
    std::int64_t columns() const { return columns_; }
    double cellWidth() const { return enlarged(fitted_.width()); }
    double cellHeight() const { return enlarged(fitted_.height()); }
    /// Largest side of a cell: two of them in the room.
    double largestCell() const;
    /// The cells in sight: all of the room, or as much of it as the matrix takes.
    HeatmapFrame frame() const;
    /// Of the whole matrix in pixels when all of it is in sight.
    QSizeF fittedSize() const;

    bool isFitted() const { return position_.zoom <= 1.0001; }
    void fit();
    /// `factor` above 1 enlarges; the cell at `fixed` (pixels) stays where it is.
    void zoom(double factor, const QPointF& fixed);
    void pan(const QPointF& pixels);
    void centreOn(const QPointF& cell);
    /// Moves no more than needed.
    void show(Cell cell);
    /// The cell in the middle, its shorter side of at least so many pixels.
    void showLarge(Cell cell, double least);
    /// Cells `x .. x + width` by `y .. y + height`, as large as fits.
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
    ViewPosition position_;
};

} // namespace attnlab::ui
