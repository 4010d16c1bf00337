// The minimap of an enlarged matrix: all of it in small, with the part in sight.
#pragma once

#include "ui/drawing/heatmap_layout.h"
#include "ui/matrix/matrix_source.h"
#include "ui/matrix/viewport.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

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
