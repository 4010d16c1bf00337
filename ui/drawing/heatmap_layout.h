// Where the parts of a heatmap lie. Pure geometry: nothing is painted here.
#pragma once

#include "ui/document/view_state.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/matrix_data.h"

#include <QFont>
#include <QRect>
#include <QRectF>

#include <optional>

namespace attnlab::ui {

/// The visible part of a matrix and the rectangle that shows it.
struct HeatmapFrame {
    QRectF body;  ///< in the painter's units
    QRectF range; ///< in cells: x along columns, y along rows; the whole matrix is (0, 0, columns, rows)

    double cellWidth() const { return body.width() / range.width(); }
    double cellHeight() const { return body.height() / range.height(); }
    QRectF cellRect(Cell cell) const;
    QRectF rectOf(const QRect& cells) const;
    QPointF toCells(const QPointF& position) const;
    /// Nothing outside the body.
    std::optional<Cell> cellAt(const QPointF& position) const;
    /// Cells that show at least in part; left/top = first column/row.
    QRect visibleCells() const;
};

/// All cells of a matrix in a body.
HeatmapFrame wholeFrame(const QRectF& body, const MatrixAxes& axes);

/// A heatmap with its labels and colour bar.
struct HeatmapLayout {
    QRectF area;            ///< everything
    QRectF room;            ///< where cells may be
    QRectF body;            ///< the cells: within the room
    QRectF row_labels;      ///< left of the body
    QRectF column_labels;   ///< above the body
    QRectF row_profile;     ///< right of the body; empty: none
    QRectF column_profile;  ///< below it
    QRectF color_bar;       ///< empty: none
    QRectF title;           ///< empty: none
    double sides = 0.0;     ///< width of everything beside the cells, margins included
    double least_bar = 0.0; ///< height of the colour bar beside few cells
    bool upright = false;   ///< column labels that do not fit side by side are turned all the way, else they lean

    /// The cells fill another part of the room; what is beside them follows.
    void setBody(const QRectF& next);
};

struct LayoutWishes {
    QFont font;
    bool color_bar = true;
    bool title = false;
    double pixel = 1.0; ///< size of a device pixel: cells get whole pixels where that costs little room; 0: no need
    bool row_labels = true;
    bool upright = false;                       ///< see HeatmapLayout
    std::optional<QFont> labels = std::nullopt; ///< of labels and ticks; nothing: labelFont(font)
    bool profiles = false;
    bool fill_strips = false; ///< a matrix much longer one way than the other fills the room
};

/// The smaller font of labels and ticks.
QFont labelFont(const QFont& font);

/// The sides of a cell that fill `room` with all cells: square, but where one side of the matrix is far longer.
QSizeF cellSize(const QSizeF& room, double rows, double columns, double largest);
/// A whole number of device pixels where that costs little room; 0: no need.
double wholePixels(double size, double pixel);

HeatmapLayout layoutHeatmap(const QRectF& area, const MatrixAxes& axes, const ColorScale& scale,
                            const LayoutWishes& wishes);

} // namespace attnlab::ui
