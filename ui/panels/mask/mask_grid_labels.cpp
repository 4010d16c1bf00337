// The place of the cells of a mask, and their labels.
#include "ui/drawing/heatmap_labels.h"
#include "ui/panels/mask/mask_grid.h"
#include "ui/widgets/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr int grid_largest_cell = 30;  ///< logical pixels: a small matrix has a small picture
constexpr double longest_aspect = 3.0; ///< of a matrix of square cells, else of a cell
constexpr int grid_margin = 2;         ///< for the focus frame
constexpr int most_named = 64;         ///< rows or columns
constexpr double widest_label = 0.25;  ///< of the widget
constexpr double beside_cells = 5.0;   ///< between labels and cells

QSizeF cellIn(const QSizeF& room, int rows, int columns) {
    double cell_x = std::min<double>(room.width() / columns, grid_largest_cell);
    double cell_y = std::min<double>(room.height() / rows, grid_largest_cell);
    // Square cells, unless the matrix is so long that they would be too thin.
    const bool elongated = std::max(rows, columns) > longest_aspect * std::min(rows, columns);
    const double stretch = elongated ? longest_aspect : 1.0;
    cell_x = std::min(cell_x, cell_y * stretch);
    cell_y = std::min(cell_y, cell_x * stretch);
    // Whole pixels where that costs little room, for even cells.
    if (cell_x >= 4.0 && cell_y >= 4.0) {
        cell_x = std::floor(cell_x);
        cell_y = std::floor(cell_y);
    }
    return {cell_x, cell_y};
}

} // namespace

void MaskGrid::nameAxes() {
    MatrixAxes next;
    if (!layers_.isEmpty() && std::max(layers_.rows(), layers_.columns()) <= most_named) {
        next.rows.count = layers_.rows();
        next.columns.count = layers_.columns();
        next.rows.title = tr("query");
        next.columns.title = tr("key");
        for (int row = 0; row < layers_.rows(); ++row)
            next.rows.labels << rowLabel(row);
        for (int column = 0; column < layers_.columns(); ++column)
            next.columns.labels << columnLabel(column);
    }
    const bool same = next.rows.labels == axes_.rows.labels && next.columns.labels == axes_.columns.labels;
    axes_ = std::move(next);
    if (!same)
        redraw();
}

QSizeF MaskGrid::labelRoom() const {
    if (axes_.empty())
        return {0, 0};
    const QFont font = labelFont(this->font());
    const double line = QFontMetricsF(font).height();
    const double beside = std::min(longestLabel(axes_.rows, font), width() * widest_label) + line + 2 * beside_cells;
    const auto cell = [&](double above) {
        return cellIn({width() - 2 * grid_margin - beside, height() - 2 * grid_margin - above}, layers_.rows(),
                      layers_.columns());
    };
    double above = line + beside_cells;
    if (!columnLabelsFitFlat(axes_.columns, font, cell(above).width()))
        above = std::min(longestLabel(axes_.columns, font), width() * widest_label) + beside_cells;
    const QSizeF left = cell(above);
    return rowLabelsFit(axes_.rows, font, left.height()) && left.width() >= line ? QSizeF(beside, above) : QSizeF(0, 0);
}

QRect MaskGrid::matrixRect() const {
    const int rows = layers_.rows();
    const int columns = layers_.columns();
    if (layers_.isEmpty() || layers_.isTooLarge())
        return {};
    const QSize labels = labelRoom().toSize();
    const QSize room(width() - labels.width(), height() - labels.height());
    const QSizeF cell = cellIn(room - QSize(2 * grid_margin, 2 * grid_margin), rows, columns);
    const QSize size(std::max(1, static_cast<int>(cell.width() * columns)),
                     std::max(1, static_cast<int>(cell.height() * rows)));
    return QRect(QPoint(labels.width() + (room.width() - size.width()) / 2,
                        labels.height() + (room.height() - size.height()) / 2),
                 size);
}

void MaskGrid::paintNames(QPainter& painter, const QRect& area) const {
    const QSizeF room = labelRoom();
    if (room.isEmpty())
        return;
    const QFont font = labelFont(this->font());
    HeatmapLayout layout;
    layout.area = rect();
    layout.body = area;
    layout.row_labels = QRectF(area.left() - room.width() + grid_margin, area.top(),
                               room.width() - grid_margin - beside_cells, area.height());
    layout.column_labels =
        QRectF(area.left(), area.top() - room.height(), area.width(), room.height() - beside_cells + 1);
    layout.upright = layout.title_beside = true;
    const HeatmapFrame frame = wholeFrame(area, axes_);
    paintLabels(painter, layout, placeLabels(layout, frame, axes_, font, std::nullopt), axes_, font, theme());
}

} // namespace attnlab::ui
