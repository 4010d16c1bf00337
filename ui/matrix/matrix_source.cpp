#include "ui/matrix/matrix_source.h"

#include "ui/drawing/heatmap_painter.h"
#include "ui/drawing/matrix_data.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <QPainter>
#include <QRectF>
#include <QVector>

namespace attnlab::ui {
namespace {

QString shortText(double value) {
    constexpr int longest = 9, digits = 6;
    const QString exact = exactText(value);
    return exact.size() <= longest ? exact : exactText(QString::number(value, 'g', digits).toDouble());
}

double largestOf(const std::vector<double>& values) {
    double top = 0.0;
    for (const double value : values)
        top = std::isfinite(value) ? std::max(top, value) : top;
    return top;
}

} // namespace

void MatrixProfiles::paint(QPainter& painter, const HeatmapLayout& layout, const HeatmapFrame& visible,
                           const Theme& look) const {
    QVector<QRectF> bars;
    const auto number = [](std::int64_t first, std::size_t i, std::int64_t bin) {
        return static_cast<double>((first + static_cast<std::int64_t>(i)) * bin);
    };
    painter.save();
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.accent);
    const QRectF& beside = layout.row_profile;
    const double widest = largestOf(rows);
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i] > 0.0)
            bars << QRectF(beside.left(),
                           layout.body.top() +
                               (number(first_row, i, bin_rows) - visible.range.top()) * visible.cellHeight(),
                           beside.width() * rows[i] / widest, static_cast<double>(bin_rows) * visible.cellHeight());
    painter.setClipRect(beside);
    painter.drawRects(bars);
    bars.clear();
    const QRectF& below = layout.column_profile;
    const double highest = largestOf(columns);
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i] > 0.0)
            bars << QRectF(layout.body.left() +
                               (number(first_column, i, bin_columns) - visible.range.left()) * visible.cellWidth(),
                           below.top(), static_cast<double>(bin_columns) * visible.cellWidth(),
                           below.height() * columns[i] / highest);
    painter.setClipRect(below);
    painter.drawRects(bars);
    painter.restore();
}

void DenseSource::setMatrix(MatrixData matrix) {
    matrix_ = std::move(matrix);
    emit changed();
}

QString DenseSource::textOf(Cell cell) const {
    const QString number = shortText(matrix_.view()(cell.row, cell.column));
    const MatrixAxes axes = matrix_.axes();
    return tr("%1 → %2: %3")
        .arg(axes.rows.fullLabel(cell.row), axes.columns.fullLabel(cell.column),
             matrix_.isHidden(cell.row, cell.column)         ? hiddenText()
             : matrix_.isBlocked(cell.row, cell.column)      ? tr("masked")
             : matrix_.isBlockedInOne(cell.row, cell.column) ? tr("%1, masked in one of both").arg(number)
                                                             : number);
}

void DenseSource::paint(QPainter& painter, const VisibleMatrix& sight) const {
    paintCells(painter, sight.frame, {matrix_, sight.scale, sight.look});
    paintAheadNote(painter, sight.frame, matrix_, sight.look, sight.framed);
    paintHidden(painter, sight.frame, matrix_, sight.look);
}

void DenseSource::paintWhole(QPainter& painter, const QRectF& area, const VisibleMatrix& sight) const {
    const auto view = matrix_.view();
    paintMatrix(painter, area, matrix_, sight.scale,
                QRect(0, 0, static_cast<int>(view.columns), static_cast<int>(view.rows)), sight.look);
}

} // namespace attnlab::ui
