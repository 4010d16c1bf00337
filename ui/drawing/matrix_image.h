// A matrix as a plain image without axes: thumbnails of stages and heads, and the cells of large views.
#pragma once

#include "ui/drawing/colormap.h"
#include "ui/drawing/matrix_data.h"
#include "ui/widgets/theme.h"

#include <QImage>
#include <QRect>
#include <QRectF>

class QPainter;

namespace attnlab::ui {

/// One pixel a cell, or fewer when the matrix is larger than `largest` (each pixel then shows the cell of largest
/// magnitude that it covers). Blocked cells and NaN are transparent, so that callers can paint the hatch below.
QImage matrixImage(const MatrixData& matrix, const ColorScale& scale, QSize largest = QSize(512, 512));
/// The same for some of the cells: left/top of `cells` = first column/row.
QImage matrixImage(const MatrixData& matrix, const ColorScale& scale, const QRect& cells, QSize largest);

/// Paints the matrix into `target` with blocked cells and NaN hatched, without smoothing, with the aspect ratio of
/// `target`.
void paintMatrix(QPainter& painter, const QRectF& target, const MatrixData& matrix, const ColorScale& scale);
/// The same for some of the cells.
void paintMatrix(QPainter& painter, const QRectF& target, const MatrixData& matrix, const ColorScale& scale,
                 const QRect& cells, const Theme& look);

/// Kinds of cells without a colour.
enum class Hatch { Blocked, NotANumber };

/// The colour between the lines of a hatch.
QColor hatchBack(const Theme& look, Hatch hatch);
/// Fills an area with a hatch that continues across neighbouring areas. Uses polygons on a vector device.
void paintHatch(QPainter& painter, const QRectF& area, const Theme& look = theme(), Hatch hatch = Hatch::Blocked);

} // namespace attnlab::ui
