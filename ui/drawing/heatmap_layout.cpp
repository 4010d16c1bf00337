#include "ui/drawing/heatmap_layout.h"

#include "ui/drawing/color_bar.h"
#include "ui/drawing/heatmap_labels.h"
#include "ui/drawing/scaled_font.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr double heatmap_gap = 6.0;
constexpr double outer = 8.0;
/// A matrix more elongated than this would waste most of the room with square cells.
constexpr double square_up_to = 3.0;
constexpr double most_stretched = 4.0;
constexpr double least_strip = 48.0; ///< keeps a row of very many cells visible
constexpr double profile_size = 40.0;

QRectF takenFromTop(QRectF& room, double height) {
    const QRectF taken(room.left(), room.top(), room.width(), height);
    room.setTop(room.top() + height);
    return taken;
}

double rounded(double value, double pixel) { return pixel > 0.0 ? std::round(value / pixel) * pixel : value; }

} // namespace

QRectF HeatmapFrame::rectOf(const QRect& cells) const {
    return QRectF(body.left() + (cells.left() - range.left()) * cellWidth(),
                  body.top() + (cells.top() - range.top()) * cellHeight(), cells.width() * cellWidth(),
                  cells.height() * cellHeight());
}

QRectF HeatmapFrame::cellRect(Cell cell) const { return rectOf(QRect(cell.column, cell.row, 1, 1)); }

QPointF HeatmapFrame::toCells(const QPointF& position) const {
    return QPointF(range.left() + (position.x() - body.left()) / cellWidth(),
                   range.top() + (position.y() - body.top()) / cellHeight());
}

std::optional<Cell> HeatmapFrame::cellAt(const QPointF& position) const {
    if (body.isEmpty() || position.x() < body.left() || position.x() >= body.right() || position.y() < body.top() ||
        position.y() >= body.bottom())
        return std::nullopt;
    const QPointF at = toCells(position);
    const QRect visible = visibleCells();
    return Cell{std::clamp(static_cast<int>(at.y()), visible.top(), visible.bottom()),
                std::clamp(static_cast<int>(at.x()), visible.left(), visible.right())};
}

QRect HeatmapFrame::visibleCells() const {
    if (range.isEmpty())
        return {};
    // A cell visible only by a rounding error does not count.
    constexpr double sliver = 1e-6;
    const int left = static_cast<int>(std::floor(range.left() + sliver));
    const int top = static_cast<int>(std::floor(range.top() + sliver));
    return QRect(left, top, static_cast<int>(std::ceil(range.right() - sliver)) - left,
                 static_cast<int>(std::ceil(range.bottom() - sliver)) - top);
}

HeatmapFrame wholeFrame(const QRectF& body, const MatrixAxes& axes) {
    return {body, QRectF(0, 0, static_cast<double>(axes.columns.count), static_cast<double>(axes.rows.count))};
}

QFont labelFont(const QFont& font) { return scaledFont(font, 0.92); }

QSizeF cellSize(const QSizeF& room, double rows, double columns, double largest) {
    double width = std::min(room.width() / columns, largest);
    double height = std::min(room.height() / rows, largest);
    const double side = std::min(width, height);
    const bool extreme = std::max(rows, columns) / std::min(rows, columns) > square_up_to;
    const auto longest = [&](double count) {
        return extreme ? std::max(side * most_stretched, least_strip / count) : side;
    };
    return QSizeF(std::min(width, longest(columns)), std::min(height, longest(rows)));
}

double wholePixels(double size, double pixel) {
    if (pixel <= 0.0)
        return size;
    const double whole = std::floor(size / pixel + 1e-6) * pixel;
    return whole >= 0.92 * size ? whole : size;
}

HeatmapLayout layoutHeatmap(const QRectF& area, const MatrixAxes& axes, const ColorScale& scale,
                            const LayoutWishes& wishes) {
    HeatmapLayout layout;
    layout.area = area;
    layout.upright = wishes.upright;
    layout.title_beside = wishes.title_beside;
    if (axes.empty() || area.isEmpty())
        return layout;
    const QFont small = wishes.labels.value_or(labelFont(wishes.font));
    const QFontMetricsF metrics(small);
    const double line = metrics.height();
    QRectF room = area.adjusted(outer, outer, -outer, -outer);
    if (wishes.title)
        layout.title = takenFromTop(room, QFontMetricsF(wishes.font).height() * 1.5);
    const double profile = wishes.profiles ? profile_size + heatmap_gap : 0.0;
    double bar_width = wishes.color_bar ? colorBarWidth(scale, small, room.height()) + 3 * heatmap_gap : 0.0;
    const double row_title = axes.rows.title.isEmpty() || !wishes.row_labels ? 0.0 : line + heatmap_gap / 2;
    const double column_title = axes.columns.title.isEmpty() || wishes.title_beside ? 0.0 : line + heatmap_gap / 2;
    const double row_width = !wishes.row_labels ? 0.0 : std::min(longestLabel(axes.rows, small), room.width() * 0.28);

    // First assumes column labels of one line; labels that do not fit side by side are turned and need more height.
    const double left = wishes.row_labels ? row_title + row_width + heatmap_gap : 0.0;

    const auto rows = static_cast<double>(axes.rows.count);
    const auto columns = static_cast<double>(axes.columns.count);
    const double largest = 10.0 * line;
    layout.least_bar = 8 * line;
    double band = line;
    const auto room_for_cells = [&] {
        return QSizeF(std::max(1.0, room.width() - left - profile - bar_width),
                      std::max(1.0, room.height() - column_title - band - heatmap_gap - profile));
    };
    const bool fills = wishes.fill_strips && std::max(rows, columns) > square_up_to * std::min(rows, columns);
    const auto size_of_cells = [&] {
        const QSizeF space = room_for_cells();
        return fills ? QSizeF(space.width() / columns, space.height() / rows) : cellSize(space, rows, columns, largest);
    };
    QSizeF cell = size_of_cells();
    const double longest = longestLabel(axes.columns, small);
    if (!columnLabelsFitFlat(axes.columns, small, cell.width())) {
        band = std::min(wishes.upright ? longest + 1.0 : turnedHeight(small, longest), room.height() * 0.3);
        cell = size_of_cells();
    }
    const auto height_of_bar = [&](double top) {
        return std::max(cell.height() * rows, std::min(room.bottom() - top, layout.least_bar));
    };
    if (wishes.color_bar) {
        // A low bar has fewer ticks, whose numbers may be longer.
        const double height = height_of_bar(room.top() + column_title + band + heatmap_gap);
        bar_width = std::max(bar_width, colorBarWidth(scale, small, height) + 3 * heatmap_gap);
        cell = size_of_cells();
    }
    layout.sides = 2.0 * outer + left + profile + bar_width;
    cell = QSizeF(wholePixels(cell.width(), wishes.pixel), wholePixels(cell.height(), wishes.pixel));

    const QSizeF body(cell.width() * columns, cell.height() * rows);
    const double above = column_title + band + heatmap_gap;
    layout.room = QRectF(QPointF(room.left() + left, room.top() + above), room_for_cells());
    const QPointF start = layout.room.center() - QPointF(body.width(), body.height()) / 2;
    layout.body = QRectF(QPointF(rounded(start.x(), wishes.pixel), rounded(start.y(), wishes.pixel)), body);
    if (wishes.row_labels)
        layout.row_labels = QRectF(0, 0, left - heatmap_gap, 1);
    layout.column_labels = QRectF(0, 0, 1, band + column_title);
    if (wishes.profiles)
        layout.row_profile = layout.column_profile = QRectF(0, 0, profile_size, profile_size);
    if (wishes.color_bar)
        layout.color_bar = QRectF(0, 0, bar_width - 3 * heatmap_gap, 1);
    layout.setBody(layout.body);
    return layout;
}

void HeatmapLayout::setBody(const QRectF& next) {
    if (!color_bar.isEmpty()) {
        const double profile = row_profile.isEmpty() ? 0.0 : profile_size + heatmap_gap;
        color_bar = QRectF(next.right() + profile + 3 * heatmap_gap, next.top(), color_bar.width(),
                           std::max(next.height(), std::min(least_bar, room.bottom() - next.top())));
    }
    body = next;
    if (!row_labels.isEmpty())
        row_labels =
            QRectF(next.left() - heatmap_gap - row_labels.width(), next.top(), row_labels.width(), next.height());
    column_labels =
        QRectF(next.left(), next.top() - heatmap_gap - column_labels.height(), next.width(), column_labels.height());
    if (!row_profile.isEmpty()) {
        row_profile = QRectF(next.right() + heatmap_gap, next.top(), profile_size, next.height());
        column_profile = QRectF(next.left(), next.bottom() + heatmap_gap, next.width(), profile_size);
    }
}

} // namespace attnlab::ui
