// A matrix as a plain picture without axes: thumbnails of stages and heads.
#pragma once

#include "ui/plot/colormap.h"
#include "ui/plot/matrix_data.h"

#include <QImage>
#include <QRectF>

class QPainter;

namespace attnlab::ui {

/// One pixel a cell, or fewer when the matrix is larger than `largest` (each pixel then shows the cell of largest
/// magnitude that it covers). Blocked cells are transparent: whoever paints lets the hatch show through.
QImage matrixImage(const MatrixData& matrix, const ColorScale& scale, QSize largest = QSize(512, 512));

/// Paints the matrix into `target` with hatched blocked cells: no smoothing, the aspect of `target`.
void paintMatrix(QPainter& painter, const QRectF& target, const MatrixData& matrix, const ColorScale& scale);

/// Fills an area with the hatch that means "blocked".
void paintHatch(QPainter& painter, const QRectF& area);

} // namespace attnlab::ui
