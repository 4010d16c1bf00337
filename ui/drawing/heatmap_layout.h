// The positions of the parts of a heatmap and of its labels, without painting cells.
#pragma once

#include "ui/document/view_state.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/matrix_data.h"
#include "ui/widgets/theme.h"

#include <optional>
#include <QFont>
#include <QRect>
#include <QRectF>
#include <QStringList>
#include <vector>

namespace attnlab::ui {

/// `font` at `factor` times its size, in whichever unit it is given; pixel sizes are rounded, to at least 1.
QFont scaledFont(QFont font, double factor);

/// The visible part of a matrix and the rectangle that shows it.
struct HeatmapFrame {
    QRectF body;  ///< in the painter's units
    QRectF range; ///< in cells: x along columns, y along rows; the whole matrix is (0, 0, columns, rows)

    double cellWidth() const { return body.width() / range.width(); }
    double cellHeight() const { return body.height() / range.height(); }
    QRectF cellRect(Cell cell) const;
    QRectF rectOf(const QRect& cells) const;
    QPointF toCells(const QPointF& position) const;
    /// nullopt outside the body.
    std::optional<Cell> cellAt(const QPointF& position) const;
    /// Cells that are at least partly visible; left/top = first column/row.
    QRect visibleCells() const;
};

/// All cells of a matrix in a body.
HeatmapFrame wholeFrame(const QRectF& body, const MatrixAxes& axes);

/// A heatmap with its labels and colour bar.
struct HeatmapLayout {
    QRectF area;               ///< everything
    QRectF room;               ///< available for cells
    QRectF body;               ///< the cells: within the room
    QRectF row_labels;         ///< left of the body
    QRectF column_labels;      ///< above the body
    QRectF row_profile;        ///< right of the body; empty if none
    QRectF column_profile;     ///< below it
    QRectF color_bar;          ///< empty if none
    QRectF title;              ///< empty if none
    double sides = 0.0;        ///< total width beside the cells, margins included
    double least_bar = 0.0;    ///< minimum height of the colour bar beside few cells
    bool upright = false;      ///< column labels that do not fit side by side are vertical, else they lean
    bool title_beside = false; ///< the columns' title is left of their labels, else above them

    /// Moves the cells to another part of the room; the parts beside them follow.
    void setBody(const QRectF& next);
};

struct LayoutWishes {
    QFont font;
    bool color_bar = true;
    bool title = false;
    double pixel = 1.0; ///< device pixel that cell sizes are rounded to at little cost; 0: no rounding
    bool row_labels = true;
    bool upright = false;                       ///< see HeatmapLayout
    std::optional<QFont> labels = std::nullopt; ///< of labels and ticks; nullopt: labelFont(font)
    bool profiles = false;
    bool fill_strips = false;     ///< a much elongated matrix fills the room
    bool title_beside = false;    ///< see HeatmapLayout
    double least_row_width = 0.0; ///< of the labels of rows, so that other names seldom move the cells
    double least_bar_width = 0.0; ///< of the colour bar with its numbers, so that other numbers seldom move the cells
};

/// The smaller font of labels and ticks.
QFont labelFont(const QFont& font);

/// The size of a cell for which all cells fill `room`: square, except for a much elongated matrix.
QSizeF cellSize(const QSizeF& room, double rows, double columns, double largest);
/// `size` rounded to whole device pixels where that costs little room; 0: no rounding.
double wholePixels(double size, double pixel);

HeatmapLayout layoutHeatmap(const QRectF& area, const MatrixAxes& axes, const ColorScale& scale,
                            const LayoutWishes& wishes);

} // namespace attnlab::ui

// Row and column labels of a heatmap: selection, placement and painting.

class QPainter;

namespace attnlab::ui {

/// Width of the longest label of an axis. For very many labels, only those with the most characters are measured.
double longestLabel(const MatrixAxis& axis, const QFont& font);
/// True when labels fit side by side horizontally. Always true for numbers, which are thinned instead.
bool columnLabelsFitFlat(const MatrixAxis& columns, const QFont& font, double cell_width);
/// True when each column has its label although these lean. Always true for numbers.
bool leaningLabelsFit(const MatrixAxis& columns, const QFont& font, double cell_width);
/// True when every row has its label. Always true for numbers.
bool rowLabelsFit(const MatrixAxis& rows, const QFont& font, double cell_height);
/// The step in indices of the labels that placeLabels() shows in cells of this size, where labels of both sides are
/// names. Columns are turned unless all fit side by side.
int rowLabelStep(const MatrixAxis& rows, const QFont& font, double cell_height);
int columnLabelStep(const MatrixAxis& columns, const QFont& font, double cell_width, bool upright);
/// How far the last label, if it leans, reaches beyond the right edge of its column.
double lastLabelReach(const MatrixAxis& columns, const QFont& font, double cell_width);
/// Height of turned labels, the longest of which has the width `length`.
double turnedHeight(const QFont& font, double length);

struct PlacedLabel {
    int index = 0;
    QString text;   ///< elided if long
    QPointF anchor; ///< rows: middle of the right end; columns: middle of the bottom, or the start when turned
    bool highlighted = false;
    bool chosen = false;
};

/// Labels never overlap: only every second, fifth, tenth ... is shown where room is lacking. The highlighted cell's are
/// always shown; without one, those of the chosen cell.
struct HeatmapLabels {
    std::vector<PlacedLabel> rows;
    std::vector<PlacedLabel> columns;
    bool columns_turned = false;
    bool columns_upright = false; ///< vertical
};
HeatmapLabels placeLabels(const HeatmapLayout& layout, const HeatmapFrame& frame, const MatrixAxes& axes,
                          const QFont& font, std::optional<Cell> highlighted, std::optional<Cell> chosen = {});

/// The titles say which names are shown, where that is only each second or so: "key token (1 label in 2)".
MatrixAxes withSteps(MatrixAxes axes, const HeatmapLabels& labels);

/// Labels and axis titles. `font` is that of placeLabels.
void paintLabels(QPainter& painter, const HeatmapLayout& layout, const HeatmapLabels& labels, const MatrixAxes& axes,
                 const QFont& font, const Theme& look);

} // namespace attnlab::ui
