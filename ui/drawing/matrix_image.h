// A matrix as a plain picture without axes: thumbnails of stages and heads, and the cells of the large views.
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
/// magnitude that it covers). Blocked cells and NaN are transparent: whoever paints lets the hatch show through.
QImage matrixImage(const MatrixData& matrix, const ColorScale& scale, QSize largest = QSize(512, 512));
/// The same for some of the cells: left/top of `cells` = first column/row.
QImage matrixImage(const MatrixData& matrix, const ColorScale& scale, const QRect& cells, QSize largest);

/// Paints the matrix into `target` with blocked cells and NaN hatched: no smoothing, the aspect of `target`.
void paintMatrix(QPainter& painter, const QRectF& target, const MatrixData& matrix, const ColorScale& scale);
/// The same for some of the cells.
void paintMatrix(QPainter& painter, const QRectF& target, const MatrixData& matrix, const ColorScale& scale,
                 const QRect& cells, const Theme& look);

/// What a cell without a colour is.
enum class Hatch { Blocked, NotANumber };

/// Fills an area with a hatch; neighbouring areas fit together. Lines on a vector device.
void paintHatch(QPainter& painter, const QRectF& area, const Theme& look = theme(), Hatch hatch = Hatch::Blocked);

} // namespace attnlab::ui
