#include "ui/pages/exhibits/curve_drawing.h"

#include "ui/drawing/heatmap_layout.h"
#include "ui/widgets/digits.h"
#include "ui/widgets/text.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr double curve_gap = 6.0;
constexpr double curve_dot = 3.0;

/// A scale with some room at both ends; linear ones of positive numbers start at zero.
ColorScale axisScale(double low, double high, bool logarithmic) {
    ColorScale scale;
    scale.map = &colormap({});
    scale.logarithmic = logarithmic;
    if (logarithmic) {
        const double room = std::max(std::pow(high / low, 0.06), 1.08);
        scale.low = low / room;
        scale.high = high * room;
    } else {
        const double span = high > low ? high - low : std::max(std::abs(high), 1.0);
        scale.low = low >= 0.0 && low < 0.5 * high ? 0.0 : low - 0.06 * span;
        scale.high = high + 0.06 * span;
    }
    return scale;
}

} // namespace

QSizeF CurveDrawing::smallest(const QFont& font, double) const {
    const double line = QFontMetricsF(font).height();
    return QSizeF(16 * line, 11 * line);
}

CurveDrawing::Axes CurveDrawing::axes(const QRectF& area, const QFont& font) const {
    auto all = points;
    if (present)
        all.push_back(*present);
    Axes axes;
    const auto [left, right] =
        std::minmax_element(all.begin(), all.end(), [](auto a, auto b) { return a.x() < b.x(); });
    const auto [low, high] = std::minmax_element(all.begin(), all.end(), [](auto a, auto b) { return a.y() < b.y(); });
    axes.x = axisScale(left->x(), right->x(), logarithmic_x);
    axes.y = axisScale(low->y(), high->y(), logarithmic_y);
    const QFontMetricsF metrics(labelFont(font));
    double numbers = 0.0;
    for (const auto& tick : ticksOf(axes.y, 7))
        numbers = std::max(numbers, metrics.horizontalAdvance(tick.text));
    // Wider than high: a curve is read along x.
    QRectF room = area.adjusted(2 * metrics.height() + curve_gap + numbers, curve_gap + metrics.height() / 2,
                                -3 * curve_gap, -2.6 * metrics.height() - curve_gap);
    const double width = std::min(room.width(), 1.9 * room.height() + 120);
    const double height = std::min(room.height(), 0.85 * room.width());
    axes.plot =
        QRectF(room.left() + (room.width() - width) / 2, room.top() + (room.height() - height) / 2, width, height);
    return axes;
}

void CurveDrawing::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    if (points.empty())
        return;
    const Axes at = axes(area, style.font);
    painter.save();
    painter.setFont(labelFont(style.font));
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxes(painter, at, area, style);
    paintLine(painter, at, style);
    painter.restore();
}

void CurveDrawing::paintAxes(QPainter& painter, const Axes& at, const QRectF& area, const DrawingStyle& style) const {
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height();
    const QRectF& plot = at.plot;
    const int across = std::clamp(static_cast<int>(plot.width() / (line * 4)), 2, 10);
    const int up = std::clamp(static_cast<int>(plot.height() / (line * 2.4)), 2, 7);
    double numbers = 0.0;
    for (const auto& tick : ticksOf(at.x, across)) {
        const double x = at.at({tick.value, at.y.low}).x();
        painter.setPen(QPen(style.look.border, 1));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        painter.setPen(style.look.muted);
        painter.drawText(QRectF(x - 60, plot.bottom() + curve_gap / 2, 120, line), Qt::AlignCenter, tick.text);
    }
    for (const auto& tick : ticksOf(at.y, up)) {
        const double y = at.at({at.x.low, tick.value}).y();
        painter.setPen(QPen(style.look.border, 1));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(style.look.muted);
        painter.drawText(QRectF(plot.left() - 200 - curve_gap, y - line / 2, 200, line),
                         Qt::AlignRight | Qt::AlignVCenter, tick.text);
        numbers = std::max(numbers, metrics.horizontalAdvance(tick.text));
    }
    painter.setPen(QPen(style.look.muted, 1.2));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    painter.drawLine(plot.bottomLeft(), plot.topLeft());
    painter.drawText(
        QRectF(area.left(), plot.bottom() + curve_gap / 2 + line * 1.2, 2 * plot.center().x() - 2 * area.left(), line),
        Qt::AlignHCenter | Qt::AlignVCenter, x_title);
    painter.save();
    painter.translate(plot.left() - numbers - 2 * curve_gap - line, plot.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-1000, 0, 2000, line), Qt::AlignCenter, y_title);
    painter.restore();
}

void CurveDrawing::paintLine(QPainter& painter, const Axes& at, const DrawingStyle& style) const {
    QPolygonF line;
    for (const auto& point : points)
        line << at.at(point);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(style.look.accent, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(line);
    painter.setPen(QPen(style.look.card, 1));
    painter.setBrush(style.look.accent);
    for (const auto& point : line)
        painter.drawEllipse(point, curve_dot, curve_dot);
    if (present) {
        const QPointF where = at.at(*present);
        painter.setPen(QPen(style.look.pin, 1, Qt::DashLine));
        painter.drawLine(where, QPointF(where.x(), at.plot.bottom()));
        painter.drawLine(where, QPointF(at.plot.left(), where.y()));
        painter.setPen(QPen(style.look.pin, 2.4));
        painter.setBrush(style.look.card);
        painter.drawEllipse(where, 2 * curve_dot, 2 * curve_dot);
    }
    if (marked && *marked < points.size()) {
        const QPointF& point = points[*marked];
        painter.setPen(QPen(style.look.text, 1.6));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(at.at(point), 2 * curve_dot, 2 * curve_dot);
        paintNumber(painter, at, point, style);
    } else if (present) {
        paintNumber(painter, at, *present, style);
    }
}

/// Beside the point, on the side that has room.
void CurveDrawing::paintNumber(QPainter& painter, const Axes& at, const QPointF& point,
                               const DrawingStyle& style) const {
    const QFontMetricsF metrics(painter.font());
    const QPointF where = at.at(point);
    const QString text = significantText(point.y());
    const double width = metrics.horizontalAdvance(text) + 8, height = metrics.height() + 2;
    QRectF box(where.x() + 3 * curve_dot, where.y() - 3 * curve_dot - height, width, height);
    if (box.right() > at.plot.right())
        box.moveRight(where.x() - 3 * curve_dot);
    if (box.top() < at.plot.top())
        box.moveTop(where.y() + 3 * curve_dot);
    painter.setPen(QPen(style.look.border, 1));
    painter.setBrush(style.look.card);
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(style.look.text);
    painter.drawText(box, Qt::AlignCenter, text);
}

std::optional<std::size_t> CurveDrawing::pointAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    if (points.empty())
        return std::nullopt;
    const Axes at = axes(area, font);
    if (!at.plot.adjusted(-10, -10, 10, 10).contains(position))
        return std::nullopt;
    const auto nearest = std::min_element(points.begin(), points.end(), [&](const auto& a, const auto& b) {
        return std::abs(at.at(a).x() - position.x()) < std::abs(at.at(b).x() - position.x());
    });
    return static_cast<std::size_t>(nearest - points.begin());
}

QString CurveDrawing::pointText(const QPointF& point) const {
    return tr("%1: %2, %3: %4", "x axis, number, y axis, number")
        .arg(x_title, exactText(point.x()), y_title, exactText(point.y()));
}

QString CurveDrawing::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    const auto index = pointAt(position, area, font);
    return index ? pointText(points[*index]) : QString();
}

} // namespace attnlab::ui
