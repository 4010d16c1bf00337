#include "ui/matrix/matrix_source.h"

#include "ui/drawing/heatmap_painter.h"
#include "ui/drawing/matrix_data.h"
#include "ui/widgets/text.h"

namespace attnlab::ui {
namespace {

QString shortText(double value) {
    constexpr int longest = 9, digits = 6;
    const QString exact = exactText(value);
    return exact.size() <= longest ? exact : exactText(QString::number(value, 'g', digits).toDouble());
}

} // namespace

void DenseSource::setMatrix(MatrixData matrix) {
    matrix_ = std::move(matrix);
    emit changed();
}

QString DenseSource::textOf(Cell cell) const {
    return tr("%1 → %2: %3")
        .arg(matrix_.rowLabel(cell.row), matrix_.columnLabel(cell.column),
             matrix_.isBlocked(cell.row, cell.column) ? tr("masked")
                                                      : shortText(matrix_.view()(cell.row, cell.column)));
}

void DenseSource::paint(QPainter& painter, const VisibleMatrix& sight) const {
    paintCells(painter, sight.frame, {matrix_, sight.scale, sight.look});
}

void DenseSource::paintWhole(QPainter& painter, const QRectF& area, const VisibleMatrix& sight) const {
    const auto view = matrix_.view();
    paintMatrix(painter, area, matrix_, sight.scale,
                QRect(0, 0, static_cast<int>(view.columns), static_cast<int>(view.rows)), sight.look);
}

} // namespace attnlab::ui
