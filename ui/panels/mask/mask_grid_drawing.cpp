// Draws the grid of a mask.
#include "ui/drawing/matrix_image.h"
#include "ui/panels/mask/mask_grid.h"
#include "ui/widgets/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr int narrowest_cell = 3;  ///< pixels between the lines of a cell
constexpr int narrowest_lines = 6; ///< pixels between lines of a box of several cells

/// 1, 2, 5, 10, ...: lines between that many cells, so that also a mask of many that blocks nothing is seen to be one.
int cellsBetweenLines(double cell) {
    if (cell >= narrowest_cell)
        return 1;
    constexpr int most = 1'000'000;
    for (int ten = 1; ten < most; ten *= 10)
        for (const int step : {ten, 2 * ten, 5 * ten})
            if (step * cell >= narrowest_lines)
                return step;
    return most;
}

} // namespace

int MaskGrid::cellEdge(int start, int length, int index, int count) {
    return start + static_cast<int>(std::lround(static_cast<double>(length) * index / count));
}

MaskGrid::Look MaskGrid::lookOf(const QRect& cells) const {
    const int batch = painter_.view().batch();
    const int head = painter_.view().head();
    double blocked = 0.0;
    for (int row = cells.top(); row <= cells.bottom(); ++row)
        for (int column = cells.left(); column <= cells.right(); ++column) {
            if (layers_.paintedShare(batch, head, {row, column}) > 0.0)
                return Look::Painted;
            blocked += layers_.blockedShare(batch, head, {row, column});
        }
    const double share = blocked / (cells.width() * cells.height());
    return share >= 1.0 ? Look::Blocked : share > 0.0 ? Look::Partly : Look::Kept;
}

void MaskGrid::paintCells(QPainter& painter, const QRect& area) const {
    const Theme& look = theme();
    Theme painted = look;
    painted.hatch_back = look.accent_soft;
    painted.hatch_line = look.accent;
    Theme partly = look;
    partly.hatch_back = look.card;
    const int down = std::min(layers_.rows(), area.height());
    const int across = std::min(layers_.columns(), area.width());
    for (int y = 0; y < down; ++y) {
        const int first_row = cellEdge(0, layers_.rows(), y, down);
        const int last_row = std::max(first_row + 1, cellEdge(0, layers_.rows(), y + 1, down));
        const auto look_at = [&](int x) {
            const int first = cellEdge(0, layers_.columns(), x, across);
            const int last = std::max(first + 1, cellEdge(0, layers_.columns(), x + 1, across));
            return lookOf(QRect(first, first_row, last - first, last_row - first_row));
        };
        const int top = cellEdge(area.y(), area.height(), y, down);
        const int bottom = cellEdge(area.y(), area.height(), y + 1, down);
        for (int x = 0; x < across;) {
            const Look here = look_at(x);
            const int start = x;
            while (++x < across && look_at(x) == here) {
            }
            if (here == Look::Kept)
                continue;
            const int left = cellEdge(area.x(), area.width(), start, across);
            const int right = cellEdge(area.x(), area.width(), x, across);
            paintHatch(painter, QRectF(left, top, right - left, bottom - top),
                       here == Look::Painted   ? painted
                       : here == Look::Blocked ? look
                                               : partly);
        }
    }
}

QSize MaskGrid::cellsInBox() const {
    const QRect area = matrixRect();
    if (area.isEmpty())
        return {1, 1};
    return {cellsBetweenLines(static_cast<double>(area.width()) / layers_.columns()),
            cellsBetweenLines(static_cast<double>(area.height()) / layers_.rows())};
}

void MaskGrid::paintGridLines(QPainter& painter, const QRect& area) const {
    painter.setPen(theme().outline);
    const QSize box = cellsInBox();
    for (int row = box.height(); row < layers_.rows(); row += box.height()) {
        const int y = cellEdge(area.y(), area.height(), row, layers_.rows());
        painter.drawLine(area.left(), y, area.right(), y);
    }
    for (int column = box.width(); column < layers_.columns(); column += box.width()) {
        const int x = cellEdge(area.x(), area.width(), column, layers_.columns());
        painter.drawLine(x, area.top(), x, area.bottom());
    }
    painter.drawRect(area);
}

void MaskGrid::paintOutlines(QPainter& painter) const {
    const auto outline = [&](Cell cell, const QColor& color, double width) {
        painter.setPen(QPen(color, width));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(cellRect(cell).adjusted(0.5, 0.5, 0.5, 0.5));
    };
    if (const auto hovered = painter_.view().hovered(); hovered && painter_.contains(*hovered))
        outline(*hovered, theme().muted, 1.0);
    if (hasFocus())
        outline(cursor_, theme().accent, 2.0);
}

void MaskGrid::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRect area = matrixRect();
    if (area.isEmpty()) {
        painter.setPen(theme().muted);
        const QString why =
            layers_.isTooLarge()
                ? tr("%L1 × %L2 cells are too many to draw here.").arg(layers_.rows()).arg(layers_.columns())
                : tr("The mask shows here once there are scores.");
        painter.drawText(rect().adjusted(8, 4, -8, -4), Qt::AlignCenter | Qt::TextWordWrap, why);
        return;
    }
    // Hovering repaints often without changing cells.
    if (const QSize pixels = size() * devicePixelRatioF(); picture_.size() != pixels) {
        picture_ = QPixmap(pixels);
        picture_.setDevicePixelRatio(devicePixelRatioF());
        picture_.fill(Qt::transparent);
        QPainter cells(&picture_);
        cells.fillRect(area, theme().card);
        paintCells(cells, area);
        paintGridLines(cells, area);
        paintNames(cells, area);
    }
    painter.drawPixmap(0, 0, picture_);
    paintOutlines(painter);
}

} // namespace attnlab::ui
