#include "ui/drawing/heatmap_layout.h"

#include "ui/drawing/color_bar.h"
#include "ui/drawing/text_drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

namespace attnlab::ui {

QFont scaledFont(QFont font, double factor) {
    if (font.pixelSize() > 0)
        font.setPixelSize(std::max(1, static_cast<int>(std::lround(font.pixelSize() * factor))));
    else
        font.setPointSizeF(font.pointSizeF() * factor);
    return font;
}

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
    const auto width_of_bar = [&](double height) {
        return std::max(wishes.least_bar_width, colorBarWidth(scale, small, height)) + 3 * heatmap_gap;
    };
    double bar_width = wishes.color_bar ? width_of_bar(room.height()) : 0.0;
    const double row_title = axes.rows.title.isEmpty() || !wishes.row_labels ? 0.0 : line + heatmap_gap;
    const double column_title = axes.columns.title.isEmpty() || wishes.title_beside ? 0.0 : line + heatmap_gap / 2;
    const double row_width =
        !wishes.row_labels
            ? 0.0
            : std::min(std::max(longestLabel(axes.rows, small), wishes.least_row_width), room.width() * 0.32);

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
        band = wishes.upright ? std::min(longest + 1.0, room.height() * 0.4)
                              : std::min(turnedHeight(small, longest), room.height() * 0.3);
        cell = size_of_cells();
    }
    const auto height_of_bar = [&](double top) {
        return std::max(cell.height() * rows, std::min(room.bottom() - top, layout.least_bar));
    };
    if (wishes.color_bar) {
        // A low bar has fewer ticks, whose numbers may be longer.
        const double height = height_of_bar(room.top() + column_title + band + heatmap_gap);
        bar_width = std::max(bar_width, width_of_bar(height));
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

namespace {

constexpr double turn = 40.0; ///< degrees
const double turn_sine = std::sin(turn * 3.14159265358979 / 180.0);
const double turn_cosine = std::cos(turn * 3.14159265358979 / 180.0);
constexpr double between_labels = 4.0; ///< minimum gap between neighbours on a line
constexpr double beside_title = 10.0;  ///< gap between the columns' title and their labels
constexpr std::int64_t most_measured = 4096;

QFont emphasized(QFont font) {
    font.setBold(true);
    return font;
}

/// Measured in the font of highlighted labels, so that hovering never elides text.
double measured(const MatrixAxis& axis, const QFont& font) {
    const QStringList& labels = axis.labels;
    const QFontMetricsF metrics(emphasized(font));
    double width = metrics.horizontalAdvance(QString::number(std::max<std::int64_t>(0, axis.number(axis.count - 1))));
    const auto last = std::min<std::int64_t>(axis.count, labels.size());
    // Measuring takes a microsecond each.
    qsizetype least = 0;
    if (last > most_measured)
        for (std::int64_t i = 0; i < last; ++i)
            least = std::max(least, labels[i].size());
    for (std::int64_t i = 0; i < last; ++i)
        if (labels[i].size() >= least)
            width = std::max(width, metrics.horizontalAdvance(axis.label(i)));
    return std::ceil(width);
}

/// Measuring text takes longer than the rest of a frame, and labels seldom change.
double longest(const MatrixAxis& axis, const QFont& font) {
    struct Entry {
        QStringList labels;
        std::int64_t count = -1; ///< of the numbers
        bool literal = false;
        QFont font;
        double width = 0.0;
    };
    thread_local std::array<Entry, 4> known;
    thread_local std::size_t next = 0;
    const auto count = axis.number(axis.count - 1) + 1;
    for (const auto& entry : known)
        if (entry.count == count && entry.literal == axis.literal && entry.font == font && entry.labels == axis.labels)
            return entry.width;
    Entry& entry = known[next];
    next = (next + 1) % known.size();
    entry = {axis.labels, count, axis.literal, font, measured(axis, font)};
    return entry.width;
}

/// The distance in indices at which labels are at least `spacing` pixels apart. Numbers have round steps.
int labelStep(double cell, double spacing, bool numbers) {
    const double least = spacing / cell - 1e-6;
    return numbers ? static_cast<int>(integerRoundStep(least)) : std::max(1, static_cast<int>(std::ceil(least)));
}

/// Indices from `first` to `last` in steps; the highlighted one displaces neighbours within `spacing` pixels.
std::vector<int> thinned(int first, int last, int step, double cell, double spacing, std::optional<int> highlighted) {
    const bool has_highlighted = highlighted && *highlighted >= first && *highlighted <= last;
    std::vector<int> chosen;
    for (int index = (first + step - 1) / step * step; index <= last; index += step)
        if (!has_highlighted || index == *highlighted || std::abs(index - *highlighted) * cell >= spacing - 1e-6)
            chosen.push_back(index);
    if (has_highlighted && std::find(chosen.begin(), chosen.end(), *highlighted) == chosen.end())
        chosen.insert(std::lower_bound(chosen.begin(), chosen.end(), *highlighted), *highlighted);
    return chosen;
}

double titleHeight(const QString& title, const QFont& font) {
    return title.isEmpty() ? 0.0 : QFontMetricsF(font).height() + 3.0;
}

double rowSpacing(const MatrixAxis& axis, const QFont& font, double cell) {
    const double line = QFontMetricsF(font).height();
    return line * (axis.labels.isEmpty() && cell < line ? 1.5 : 0.95);
}

double columnSpacing(const HeatmapLabels& labels, const MatrixAxis& axis, const QFont& font) {
    const double line = QFontMetricsF(font).height();
    return labels.columns_upright  ? line * 0.95
           : labels.columns_turned ? line / turn_sine
                                   : longestLabel(axis, font) + between_labels;
}

/// The least step of the numbers of square cells, which both axes then share; 1 for other matrices.
int sharedStep(const HeatmapLabels& labels, const HeatmapFrame& frame, const MatrixAxes& axes, const QFont& font) {
    const double height = frame.cellHeight(), width = frame.cellWidth();
    if (!axes.rows.labels.isEmpty() || !axes.columns.labels.isEmpty() || std::abs(height - width) > 0.02 * width)
        return 1;
    return std::max(labelStep(height, rowSpacing(axes.rows, font, height), true),
                    labelStep(width, columnSpacing(labels, axes.columns, font), true));
}

/// Rows or columns whose labels are marked.
struct MarkedIndices {
    std::optional<int> highlighted, chosen;

    std::optional<int> kept() const { return highlighted ? highlighted : chosen; }
    bool contain(int index) const { return index == highlighted || index == chosen; }
};

void placeRows(HeatmapLabels& labels, const HeatmapLayout& layout, const HeatmapFrame& frame, const MatrixAxis& axis,
               const QFont& font, const MarkedIndices& marked, int least_step) {
    const QRect visible = frame.visibleCells();
    const double room = layout.row_labels.width() - titleHeight(axis.title, font);
    const double cell = frame.cellHeight();
    const double spacing = rowSpacing(axis, font, cell);
    const int step = std::max(least_step, labelStep(cell, spacing, axis.labels.isEmpty()));
    for (const int row : thinned(visible.top(), visible.bottom(), step, cell, spacing, marked.kept())) {
        const double y = frame.body.top() + (row + 0.5 - frame.range.top()) * cell;
        if (y < frame.body.top() - 0.5 || y > frame.body.bottom() + 0.5)
            continue;
        const QFontMetricsF own(marked.contain(row) ? emphasized(font) : font);
        labels.rows.push_back({row, own.elidedText(axis.label(row), Qt::ElideRight, room + 1.0),
                               QPointF(layout.row_labels.right(), y), row == marked.highlighted, row == marked.chosen});
    }
}

void placeColumns(HeatmapLabels& labels, const HeatmapLayout& layout, const HeatmapFrame& frame, const MatrixAxis& axis,
                  const QFont& font, const MarkedIndices& marked, int least_step) {
    const QFontMetricsF metrics(font);
    const QRect visible = frame.visibleCells();
    const double cell = frame.cellWidth();
    const double spacing = columnSpacing(labels, axis, font);
    const int step = std::max(least_step, labelStep(cell, spacing, axis.labels.isEmpty()));
    const double band = layout.column_labels.height() - (layout.title_beside ? 0.0 : titleHeight(axis.title, font));
    for (const int column : thinned(visible.left(), visible.right(), step, cell, spacing, marked.kept())) {
        const double x = frame.body.left() + (column + 0.5 - frame.range.left()) * cell;
        if (x < frame.body.left() - 0.5 || x > frame.body.right() + 0.5)
            continue;
        const QFontMetricsF own(marked.contain(column) ? emphasized(font) : font);
        double room = std::max(cell, spacing) - 2.0;
        if (labels.columns_upright)
            room = band;
        else if (labels.columns_turned)
            room = std::min((band - metrics.ascent() * turn_cosine) / turn_sine,
                            (layout.area.right() - x) / turn_cosine - metrics.height() / 2);
        labels.columns.push_back({column, own.elidedText(axis.label(column), Qt::ElideRight, room + 1.0),
                                  QPointF(x, layout.column_labels.bottom()), column == marked.highlighted,
                                  column == marked.chosen});
    }
}

void paintTurned(QPainter& painter, const PlacedLabel& label, bool upright) {
    painter.save();
    painter.translate(label.anchor);
    const QFontMetricsF metrics(painter.font());
    if (upright)
        painter.translate((metrics.ascent() - metrics.descent()) / 2, 0);
    painter.rotate(upright ? -90.0 : -turn);
    // In a rectangle: at a point, Qt puts letters of a font that stands in, as of Chinese words, over each other.
    drawText(painter, QRectF(0, -metrics.ascent(), metrics.horizontalAdvance(label.text) + 2.0, metrics.height()),
             Qt::AlignLeft | Qt::AlignTop | Qt::TextSingleLine, label.text);
    painter.restore();
}

/// The title of an axis, and which of its names are shown where not all are.
QString titleOf(const MatrixAxis& axis, const std::vector<PlacedLabel>& labels) {
    if (axis.labels.isEmpty() || axis.title.isEmpty() || labels.size() < 3)
        return axis.title;
    std::vector<int> steps;
    for (std::size_t i = 1; i < labels.size(); ++i)
        steps.push_back(labels[i].index - labels[i - 1].index);
    const auto middle = steps.begin() + std::ssize(steps) / 2; // around a highlighted label they are others
    std::nth_element(steps.begin(), middle, steps.end());
    const int step = *middle;
    if (step < 2)
        return axis.title;
    const QString which = QCoreApplication::translate("attnlab::ui::Figure", "(1 label in %1)").arg(step);
    return axis.title + QLatin1Char(' ') + which;
}

void paintTitles(QPainter& painter, const HeatmapLayout& layout, const MatrixAxes& axes, const QFont& font,
                 const Theme& look) {
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(look.muted);
    const QRectF& above = layout.column_labels;
    const double length = metrics.horizontalAdvance(axes.columns.title) + 2.0;
    if (layout.title_beside) {
        const double room = above.left() - layout.area.left() - beside_title;
        if (length > room && above.top() - metrics.height() >= layout.area.top())
            // Short row labels leave no room beside the columns' labels: above them.
            drawText(painter, QRectF(above.left(), above.top() - metrics.height(), length, metrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, axes.columns.title);
        else if (length <= room)
            drawText(painter,
                     QRectF(above.left() - beside_title - length, above.bottom() - metrics.height(), length,
                            metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, axes.columns.title);
    } else {
        // Wider than the body for the title.
        const double width = std::max(above.width(), length);
        drawText(painter, QRectF(above.center().x() - width / 2, above.top(), width, metrics.height()), Qt::AlignCenter,
                 axes.columns.title);
    }
    if (axes.rows.title.isEmpty() || layout.row_labels.isEmpty())
        return;
    const QRectF& beside = layout.row_labels;
    const double height = std::max(beside.height(), metrics.horizontalAdvance(axes.rows.title) + 2.0);
    painter.save();
    painter.translate(beside.left(), beside.center().y() + height / 2);
    painter.rotate(-90);
    drawText(painter, QRectF(0, 0, height, metrics.height()), Qt::AlignCenter, axes.rows.title);
    painter.restore();
}

} // namespace

MatrixAxes withSteps(MatrixAxes axes, const HeatmapLabels& labels) {
    axes.rows.title = titleOf(axes.rows, labels.rows);
    axes.columns.title = titleOf(axes.columns, labels.columns);
    return axes;
}

double longestLabel(const MatrixAxis& axis, const QFont& font) { return longest(axis, font); }

bool columnLabelsFitFlat(const MatrixAxis& columns, const QFont& font, double cell_width) {
    return columns.labels.isEmpty() || longestLabel(columns, font) + between_labels <= cell_width;
}

bool leaningLabelsFit(const MatrixAxis& columns, const QFont& font, double cell_width) {
    return columns.labels.isEmpty() || QFontMetricsF(font).height() / turn_sine <= cell_width + 1e-6;
}

bool rowLabelsFit(const MatrixAxis& rows, const QFont& font, double cell_height) {
    return rows.labels.isEmpty() || rowSpacing(rows, font, cell_height) <= cell_height + 1e-6;
}

int rowLabelStep(const MatrixAxis& rows, const QFont& font, double cell_height) {
    return labelStep(cell_height, rowSpacing(rows, font, cell_height), rows.labels.isEmpty());
}

int columnLabelStep(const MatrixAxis& columns, const QFont& font, double cell_width, bool upright) {
    HeatmapLabels labels;
    labels.columns_turned = !columnLabelsFitFlat(columns, font, cell_width);
    labels.columns_upright = labels.columns_turned && upright;
    return labelStep(cell_width, columnSpacing(labels, columns, font), columns.labels.isEmpty());
}

double lastLabelReach(const MatrixAxis& columns, const QFont& font, double cell_width) {
    const QFontMetricsF metrics(emphasized(font));
    const double length = metrics.horizontalAdvance(columns.label(columns.count - 1));
    return (length + metrics.height() / 2) * turn_cosine - cell_width / 2;
}

double turnedHeight(const QFont& font, double length) {
    return std::ceil(length * turn_sine + QFontMetricsF(font).ascent() * turn_cosine);
}

HeatmapLabels placeLabels(const HeatmapLayout& layout, const HeatmapFrame& frame, const MatrixAxes& axes,
                          const QFont& font, std::optional<Cell> highlighted, std::optional<Cell> chosen) {
    HeatmapLabels labels;
    if (axes.empty() || frame.body.isEmpty())
        return labels;
    MarkedIndices rows, columns;
    if (highlighted) {
        rows.highlighted = highlighted->row;
        columns.highlighted = highlighted->column;
    }
    if (chosen) {
        rows.chosen = chosen->row;
        columns.chosen = chosen->column;
    }
    labels.columns_turned = !columnLabelsFitFlat(axes.columns, font, frame.cellWidth());
    labels.columns_upright = labels.columns_turned && layout.upright;
    const int step = sharedStep(labels, frame, axes, font);
    placeRows(labels, layout, frame, axes.rows, font, rows, step);
    placeColumns(labels, layout, frame, axes.columns, font, columns, step);
    return labels;
}

void paintLabels(QPainter& painter, const HeatmapLayout& layout, const HeatmapLabels& labels, const MatrixAxes& axes,
                 const QFont& font, const Theme& look) {
    painter.save();
    const auto prepare = [&](const PlacedLabel& label, bool is_number) {
        painter.setFont(label.highlighted || label.chosen ? emphasized(font) : font);
        painter.setPen(label.chosen ? look.pin : label.highlighted ? look.accent : is_number ? look.muted : look.text);
    };
    const double line = QFontMetricsF(font).height();
    for (const auto& label : labels.rows) {
        prepare(label, axes.rows.labels.isEmpty());
        const double width = layout.row_labels.width();
        drawText(painter, QRectF(label.anchor.x() - width, label.anchor.y() - line / 2, width, line),
                 Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, label.text);
    }
    for (const auto& label : labels.columns) {
        prepare(label, axes.columns.labels.isEmpty());
        if (labels.columns_turned)
            paintTurned(painter, label, labels.columns_upright);
        else
            drawText(painter, QRectF(label.anchor.x() - 1000, label.anchor.y() - line, 2000, line),
                     Qt::AlignHCenter | Qt::AlignBottom, label.text);
    }
    paintTitles(painter, layout, axes, font, look);
    painter.restore();
}

} // namespace attnlab::ui
