#include "ui/drawing/dots_drawing.h"

#include "ui/drawing/line_chart_drawing.h"
#include "ui/drawing/text_drawing.h"

#include <algorithm>
#include <QFontMetricsF>
#include <QLineF>
#include <QPainter>

namespace attnlab::ui {
namespace {

constexpr double dot_radius = 4.0, chosen_radius = 7.0, reach = 12.0;
constexpr int most_ticks = 5;

ChartAxis axisOf(const QString& title, double largest) {
    ChartAxis axis{{.high = largest > 0.0 ? 1.05 * largest : 1.0}, {}, title};
    axis.ticks = ticksOf(axis.scale, most_ticks);
    axis.has_grid = true;
    axis.has_tick_marks = true;
    return axis;
}

void setAxes(ChartPlot& chart, const DotsDrawing& drawing) {
    QPointF largest;
    for (const auto& dot : drawing.dots)
        largest = {std::max(largest.x(), dot.numbers.x()), std::max(largest.y(), dot.numbers.y())};
    constexpr double side = DotsDrawing::margin;
    chart.setAxes(axisOf(drawing.x_title, largest.x()), axisOf(drawing.y_title, largest.y()), {side, side, side, side});
}

} // namespace

QSizeF DotsDrawing::smallest(const QFont& font, double width) const {
    const double line = QFontMetricsF(font).height();
    return {std::min(width, 10.0 * line), 8.0 * line};
}

void DotsDrawing::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    if (dots.empty()) {
        painter.setFont(style.font);
        painter.setPen(style.look.muted);
        drawText(painter, area, Qt::AlignCenter | Qt::TextWordWrap, tr("No head has both figures"));
        return;
    }
    ChartPlot::paint(painter, area, style, [this, &style](ChartPlot& chart) {
        setAxes(chart, *this);
        std::vector<QPointF> filled, open;
        for (const auto& dot : dots)
            (dot.is_open ? open : filled).push_back(dot.numbers);
        chart.addDots(filled, dot_radius, QPen(style.look.card, 1), style.look.accent);
        chart.addDots(open, dot_radius, QPen(style.look.muted, 1.5), style.look.card);
        if (chosen)
            chart.addDots({dots[*chosen].numbers}, chosen_radius, QPen(style.look.pin, 2), Qt::NoBrush);
    });
}

std::vector<QPointF> DotsDrawing::positions(const QRectF& area, const QFont& font) const {
    if (dots.empty() || area.width() <= 2 * margin || area.height() <= 2 * margin)
        return {};
    ChartPlot chart(area, {theme(), font});
    setAxes(chart, *this);
    std::vector<QPointF> places;
    for (const auto& dot : dots)
        places.push_back(chart.positionOf(dot.numbers));
    return places;
}

std::optional<std::size_t> DotsDrawing::dotAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    const auto places = positions(area, font);
    const auto distance = [&](const QPointF& place) { return QLineF(place, position).length(); };
    const auto nearest = std::ranges::min_element(places, {}, distance);
    return nearest != places.end() && distance(*nearest) <= reach
               ? std::optional(static_cast<std::size_t>(nearest - places.begin()))
               : std::nullopt;
}

QString DotsDrawing::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    const auto dot = dotAt(position, area, font);
    return dot ? dots[*dot].name : QString();
}

} // namespace attnlab::ui
