#include "ui/drawing/line_chart_drawing.h"

#include "ui/drawing/heatmap_layout.h"
#include "ui/widgets/digits.h"
#include "ui/widgets/text.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

namespace attnlab::ui {
namespace {

constexpr double line_line_gap = 6.0;
constexpr double line_dot = 3.5;

bool isShown(const QPointF& point) { return std::isfinite(point.y()) && point.x() > 0.0; }

/// Powers of two, as many as fit.
std::vector<double> doublings(double low, double high, double room, double widest) {
    const int first = static_cast<int>(std::ceil(std::log2(low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log2(high) + 1e-9));
    const double each = room / std::max(1, last - first);
    const int step = std::max(1, static_cast<int>(std::ceil(widest / std::max(1.0, each))));
    std::vector<double> result;
    for (int k = first; k <= last; k += step)
        result.push_back(std::exp2(k));
    return result;
}

/// Moves ascending numbers apart by `least`, as little as that takes, within low .. high while there is room.
void moveApart(std::vector<double>& places, double least, double low, double high) {
    for (std::size_t k = 1; k < places.size(); ++k)
        places[k] = std::max(places[k], places[k - 1] + least);
    double limit = high;
    for (std::size_t k = places.size(); k-- > 0; limit = places[k] - least)
        places[k] = std::min(places[k], limit);
    for (std::size_t k = 0; k < places.size(); ++k)
        places[k] = std::max(places[k], low + static_cast<double>(k) * least);
}

} // namespace

QColor seriesColor(int index, const Theme& look) {
    static const std::array<std::array<QRgb, 2>, 6> colors{{{0xffc0392f, 0xffe5596b},
                                                            {0xff2563d6, 0xff6ea8fe},
                                                            {0xffa86400, 0xfff0ad4e},
                                                            {0xff1b7f55, 0xff3fae7c},
                                                            {0xff7b3fc4, 0xffb48cf2},
                                                            {0xff107a8b, 0xff4fc3d0}}};
    const auto& pair = colors[static_cast<std::size_t>(std::max(0, index)) % colors.size()];
    return QColor::fromRgba(pair[look.dark ? 1 : 0]);
}

bool LineChartDrawing::isEmpty() const {
    return std::ranges::none_of(lines, [](const ChartLine& line) { return std::ranges::any_of(line.points, isShown); });
}

std::vector<double> LineChartDrawing::positions() const {
    std::set<double> all;
    for (const auto& line : lines)
        for (const auto& point : line.points)
            if (isShown(point))
                all.insert(point.x());
    return {all.begin(), all.end()};
}

QSizeF LineChartDrawing::smallest(const QFont& font, double) const {
    const double line = QFontMetricsF(font).height();
    return QSizeF(18 * line, 8 * line);
}

LineChartDrawing::Axes LineChartDrawing::axes(const QRectF& area, const QFont& font) const {
    Axes axes;
    ValueRange x, y;
    for (const auto& line : lines)
        for (const auto& point : line.points)
            if (isShown(point)) {
                x.include(point.x());
                y.include(point.y());
            }
    for (const auto& point : reference)
        y.include(point.y());
    axes.x.map = axes.y.map = &colormap({});
    axes.x.logarithmic = true;
    axes.x.low = x.empty ? 1.0 : x.low;
    axes.x.high = x.empty || x.high <= x.low ? axes.x.low * 2.0 : x.high;
    axes.y.logarithmic = logarithmic_y && y.low > 0.0;
    const double span = y.high > y.low ? y.high - y.low : std::max(std::abs(y.high), 1e-3);
    if (axes.y.logarithmic) {
        axes.y.low = y.low / 1.3;
        axes.y.high = y.high * 1.3;
    } else {
        axes.y.low = y.low >= 0.0 ? 0.0 : y.low - 0.05 * span;
        axes.y.high = std::max(y.high + 0.08 * span, axes.y.low + 1e-9);
    }
    const QFontMetricsF metrics(labelFont(font));
    double numbers = 0.0;
    const double band = 2.3 * metrics.height() + line_line_gap; // below the plot
    axes.ticks = std::clamp(static_cast<int>((area.height() - band) / (metrics.height() * 2.2)), 3, 6);
    // Few round numbers fit some ranges: rather one more than the two ends.
    while (axes.ticks < 6 && ticksOf(axes.y, axes.ticks).back().value >= axes.y.high)
        ++axes.ticks;
    for (const auto& tick : ticksOf(axes.y, axes.ticks))
        numbers = std::max(numbers, metrics.horizontalAdvance(tick.text));
    for (const auto& line : lines)
        axes.names = std::max(axes.names, metrics.horizontalAdvance(line.name));
    axes.names = std::min(axes.names, area.width() * 0.3);
    const double last_number = metrics.horizontalAdvance(QStringLiteral("0000")) / 2.0;
    axes.plot = area.adjusted(numbers + 2 * line_line_gap, line_line_gap + metrics.height() / 2,
                              -std::max(axes.names + 2 * line_line_gap, last_number + line_line_gap), -band);
    return axes;
}

void LineChartDrawing::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    const Axes at = axes(area, style.font);
    if (isEmpty() || at.plot.width() < 1.0 || at.plot.height() < 1.0)
        return;
    painter.save();
    painter.setFont(labelFont(style.font));
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxes(painter, at, area, style);
    paintReference(painter, at, style);
    paintLines(painter, at, style);
    paintMarker(painter, at, style);
    paintNames(painter, at, area, style);
    painter.restore();
}

void LineChartDrawing::paintAxes(QPainter& painter, const Axes& at, const QRectF& area,
                                 const DrawingStyle& style) const {
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height();
    const QRectF& plot = at.plot;
    const double widest = metrics.horizontalAdvance(QStringLiteral("0000")) + 2 * line_line_gap;
    for (const double value : doublings(at.x.low, at.x.high, plot.width(), widest)) {
        const double x = at.at({value, at.y.low}).x();
        painter.setPen(QPen(style.look.border, 1));
        painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + line_line_gap / 2));
        painter.setPen(style.look.muted);
        painter.drawText(QRectF(x - 60, plot.bottom() + line_line_gap / 2, 120, line), Qt::AlignCenter,
                         numberText(value, 1));
    }
    for (const auto& tick : ticksOf(at.y, at.ticks)) {
        const double y = at.at({at.x.low, tick.value}).y();
        painter.setPen(QPen(style.look.border, 1));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(style.look.muted);
        painter.drawText(QRectF(area.left(), y - line / 2, plot.left() - line_line_gap - area.left(), line),
                         Qt::AlignRight | Qt::AlignVCenter, tick.text);
    }
    painter.setPen(style.look.muted);
    painter.drawText(QRectF(plot.left(), plot.bottom() + line_line_gap / 2 + line, plot.width(), line), Qt::AlignCenter,
                     x_title);
}

void LineChartDrawing::paintReference(QPainter& painter, const Axes& at, const DrawingStyle& style) const {
    if (reference.empty())
        return;
    const double line = QFontMetricsF(painter.font()).height();
    QPolygonF path;
    for (const auto& point : reference)
        path << at.at(point);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(style.look.muted, 1.2, Qt::DashLine));
    painter.drawPolyline(path);
    const QRectF place(at.plot.left() + line_line_gap, path.back().y() - line - 1, at.plot.width() - 2 * line_line_gap,
                       line);
    painter.drawText(place, Qt::AlignRight | Qt::AlignBottom, reference_title);
}

void LineChartDrawing::paintLines(QPainter& painter, const Axes& at, const DrawingStyle& style) const {
    painter.setBrush(Qt::NoBrush);
    for (const auto& line : lines) {
        QPolygonF path;
        for (const auto& point : line.points)
            if (isShown(point))
                path << at.at(point);
        painter.setPen(QPen(seriesColor(line.color, style.look), 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        if (path.size() > 1)
            painter.drawPolyline(path);
        else if (path.size() == 1)
            painter.drawEllipse(path.front(), 1.5, 1.5);
    }
}

void LineChartDrawing::paintMarker(QPainter& painter, const Axes& at, const DrawingStyle& style) const {
    const auto across = [&](double x, const QPen& pen) {
        const double where = at.at({std::clamp(x, at.x.low, at.x.high), at.y.low}).x();
        painter.setPen(pen);
        painter.drawLine(QPointF(where, at.plot.top() - line_line_gap), QPointF(where, at.plot.bottom()));
    };
    if (hovered)
        across(*hovered, QPen(style.look.accent, 1));
    if (!marker)
        return;
    across(*marker, QPen(style.look.pin, 1.4, Qt::DashLine));
    // Between points the line says where a curve is.
    for (const auto& line : lines)
        for (std::size_t k = 0; k < line.points.size(); ++k) {
            const auto& point = line.points[k];
            if (!isShown(point) || std::abs(point.x() - *marker) > 1e-9 * *marker)
                continue;
            painter.setPen(QPen(style.look.card, 1.5));
            painter.setBrush(seriesColor(line.color, style.look));
            painter.drawEllipse(at.at(point), line_dot, line_dot);
        }
}

std::optional<double> LineChartDrawing::lastOf(const ChartLine& line) const {
    for (auto point = line.points.rbegin(); point != line.points.rend(); ++point)
        if (isShown(*point))
            return point->y();
    return std::nullopt;
}

std::vector<QRectF> LineChartDrawing::labelRects(const QRectF& area, const QFont& font) const {
    const Axes at = axes(area, font);
    const double height = QFontMetricsF(labelFont(font)).height();
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < lines.size(); ++k)
        if (lastOf(lines[k]))
            order.push_back(k);
    const auto place = [&](std::size_t k) { return at.at({at.x.high, *lastOf(lines[k])}).y(); };
    std::ranges::stable_sort(order, {}, place);
    std::vector<double> places;
    for (const auto k : order)
        places.push_back(place(k));
    // Not beside the numbers of the x axis.
    moveApart(places, height, at.plot.top() - height / 2, at.plot.bottom() - height / 4);
    std::vector<QRectF> rects(lines.size());
    for (std::size_t n = 0; n < order.size(); ++n)
        rects[order[n]] = QRectF(at.plot.right() + line_line_gap, places[n] - height / 2, at.names + 1, height);
    return rects;
}

void LineChartDrawing::paintNames(QPainter& painter, const Axes& at, const QRectF& area,
                                  const DrawingStyle& style) const {
    const auto rects = labelRects(area, style.font);
    const QFontMetricsF metrics(painter.font());
    for (std::size_t k = 0; k < lines.size(); ++k) {
        if (rects[k].isEmpty())
            continue;
        painter.setPen(seriesColor(lines[k].color, style.look));
        painter.drawText(rects[k], Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(lines[k].name, Qt::ElideRight, at.names + 1));
    }
}

std::optional<double> LineChartDrawing::xAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    const Axes at = axes(area, font);
    if (isEmpty() || at.plot.width() < 1.0)
        return std::nullopt;
    const double share = std::clamp((position.x() - at.plot.left()) / at.plot.width(), 0.0, 1.0);
    return at.x.valueAt(share);
}

QPointF LineChartDrawing::pointAt(const QPointF& point, const QRectF& area, const QFont& font) const {
    return axes(area, font).at(point);
}

QString LineChartDrawing::textOf(double x) const {
    QStringList parts;
    for (const auto& line : lines)
        for (const auto& point : line.points)
            if (isShown(point) && std::abs(point.x() - x) <= 1e-9 * x)
                parts << tr("%1: %2", "name of a line, its number").arg(line.name, significantText(point.y()));
    return parts.isEmpty() ? QString()
                           : tr("%1 %2\n%3", "x axis, number; then a line for each curve")
                                 .arg(x_title, numberText(x, 4), parts.join(QLatin1Char('\n')));
}

QString LineChartDrawing::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    const auto x = xAt(position, area, font);
    const auto all = positions();
    if (!x || !axes(area, font)
                   .plot.adjusted(-line_line_gap, -line_line_gap, line_line_gap, line_line_gap)
                   .contains(position))
        return {};
    const auto nearest = std::ranges::min_element(all, {}, [&](double each) { return std::abs(std::log(each / *x)); });
    return textOf(*nearest);
}

} // namespace attnlab::ui
