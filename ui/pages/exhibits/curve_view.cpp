#include "ui/pages/exhibits/curve_view.h"

#include "ui/drawing/line_chart_drawing.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>

namespace attnlab::ui {
namespace {

constexpr double curve_gap = 6.0;
constexpr double curve_dot = 3.0;

/// A scale with some room at both ends; linear ones of positive numbers start at zero.
ColorScale axisScale(double low, double high, bool logarithmic) {
    ColorScale scale;
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

/// Wider than high: a curve is read along x.
QRectF placeIn(const QRectF& area) {
    QRectF place(0, 0, std::min(area.width(), 1.9 * area.height() + 120), std::min(area.height(), 0.95 * area.width()));
    place.moveCenter(area.center());
    return place;
}

} // namespace

QSizeF CurveDrawing::smallest(const QFont& font, double) const {
    const double line = QFontMetricsF(font).height();
    return QSizeF(16 * line, 11 * line);
}

void CurveDrawing::setAxes(ChartPlot& chart) const {
    auto all = points;
    if (present)
        all.push_back(*present);
    const auto [left, right] = std::ranges::minmax(all, {}, &QPointF::x);
    const auto [low, high] = std::ranges::minmax(all, {}, &QPointF::y);
    ChartAxis x{axisScale(left.x(), right.x(), logarithmic_x), {}, x_title};
    ChartAxis y{axisScale(low.y(), high.y(), logarithmic_y), {}, y_title};
    const double line = QFontMetricsF(chart.font()).height();
    x.ticks = ticksOf(x.scale, std::clamp(static_cast<int>(chart.area().width() / (line * 4)) - 1, 2, 10));
    y.ticks = ticksOf(y.scale, std::clamp(static_cast<int>(chart.area().height() / (line * 2.4)) - 1, 2, 7));
    for (auto* axis : {&x, &y})
        axis->has_grid = axis->has_line = true;
    chart.setAxes(x, y, {0.0, curve_gap + line / 2, 3 * curve_gap, 0.0});
}

void CurveDrawing::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    if (points.empty())
        return;
    ChartPlot::paint(painter, placeIn(area), style, [&](ChartPlot& chart) {
        const Theme& look = style.look;
        setAxes(chart);
        chart.addLine(points, QPen(look.accent, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        chart.addDots(points, curve_dot, QPen(look.card, 1), look.accent);
        if (present) {
            const QPointF corner = chart.pointAt(chart.body().bottomLeft());
            const QPointF along_x(corner.x(), present->y()), along_y(present->x(), corner.y());
            chart.addLine({along_x, *present, along_y}, QPen(look.pin, 1, Qt::DashLine));
            chart.addDots({*present}, 2 * curve_dot, QPen(look.pin, 2.4), look.card);
        }
        if (marked && *marked < points.size()) {
            chart.addDots({points[*marked]}, 2 * curve_dot, QPen(look.text, 1.6), Qt::NoBrush);
            addNumber(chart, points[*marked], look);
        } else if (present) {
            addNumber(chart, *present, look);
        }
    });
}

/// Beside the point, on the side that has room.
void CurveDrawing::addNumber(ChartPlot& chart, const QPointF& point, const Theme& look) const {
    const QPointF where = chart.positionOf(point);
    const QString text = significantText(point.y());
    const QFontMetricsF metrics(chart.font());
    const bool right = where.x() + 3 * curve_dot + metrics.horizontalAdvance(text) + 8 <= chart.body().right();
    const bool above = where.y() - 3 * curve_dot - metrics.height() - 2 >= chart.body().top();
    const QPointF corner = where + 3 * curve_dot * QPointF(right ? 1 : -1, above ? -1 : 1);
    const auto alignment = (right ? Qt::AlignLeft : Qt::AlignRight) | (above ? Qt::AlignBottom : Qt::AlignTop);
    chart.addText(corner, alignment, text, look.text, true);
}

std::optional<std::size_t> CurveDrawing::pointAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    if (points.empty())
        return std::nullopt;
    ChartPlot chart(placeIn(area), {theme(), font});
    setAxes(chart);
    if (!chart.body().adjusted(-10, -10, 10, 10).contains(position))
        return std::nullopt;
    const auto nearest = std::ranges::min_element(
        points, {}, [&](const QPointF& point) { return std::abs(chart.positionOf(point).x() - position.x()); });
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

int CurveDrawing::rows() const { return static_cast<int>(points.size()); }
int CurveDrawing::columns() const { return 1; }
QString CurveDrawing::rowName(int row) const {
    return QStringLiteral("%1: %2").arg(x_title, exactText(points[static_cast<std::size_t>(row)].x()));
}
QString CurveDrawing::columnName(int) const { return y_title; }
QString CurveDrawing::cellWords(int row, int) const { return pointText(points[static_cast<std::size_t>(row)]); }

QRectF CurveDrawing::cellPlace(int row, int, const QRectF& area, const QFont& font) const {
    ChartPlot chart(placeIn(area), {theme(), font});
    setAxes(chart);
    QRectF place(0, 0, 4 * curve_dot, 4 * curve_dot);
    place.moveCenter(chart.positionOf(points[static_cast<std::size_t>(row)]));
    return place;
}

std::optional<std::pair<int, int>> CurveDrawing::markedCell() const {
    return marked && *marked < points.size() ? std::optional(std::pair(static_cast<int>(*marked), 0)) : std::nullopt;
}

CurveView::CurveView(QWidget* parent) : MarkingPage(Qt::Key_Right, Qt::Key_Left, parent) { renew(); }

std::int64_t CurveView::read() {
    const auto marked = drawing_.marked;
    drawing_ = {};
    setTitle({});
    const auto* curve = computed_ ? exhibitOf<Curve>(computed_->trace) : nullptr;
    if (!curve)
        return 0;
    setTitle(translated(curve->title));
    drawing_.x_title = translated(curve->x_title);
    drawing_.y_title = translated(curve->y_title);
    drawing_.logarithmic_x = curve->logarithmic_x;
    drawing_.logarithmic_y = curve->logarithmic_y;
    drawing_.marked = marked;
    // What has no logarithm (an error of exactly 0) has no place on such an axis.
    const auto drawable = [&](const Curve::Point& point) {
        return std::isfinite(point.x) && std::isfinite(point.y) && (!curve->logarithmic_x || point.x > 0.0) &&
               (!curve->logarithmic_y || point.y > 0.0);
    };
    for (const auto& point : curve->points)
        if (drawable(point))
            drawing_.points.emplace_back(point.x, point.y);
    if (drawable(curve->present))
        drawing_.present = QPointF(curve->present.x, curve->present.y);
    return static_cast<std::int64_t>(drawing_.points.size());
}

QString CurveView::wordsNow() const {
    if (drawing_.marked)
        return drawing_.pointText(drawing_.points[*drawing_.marked]);
    if (!drawing_.present)
        return {};
    const QString ring =
        tr("The ring marks the present setting: %1 %2 gives %3.", "x axis, number, number")
            .arg(drawing_.x_title, exactText(drawing_.present->x()), numberText(drawing_.present->y()));
    return currentPointIsOnCurve()
               ? ring
               : ring + QLatin1Char(' ') +
                     tr("It need not lie on the line, which shows: %1.", "title of the y axis").arg(drawing_.y_title);
}

/// False where the curve is a mean of several draws: the ring is the one on show.
bool CurveView::currentPointIsOnCurve() const {
    const auto& ring = *drawing_.present;
    const auto right = std::ranges::find_if(drawing_.points, [&](const QPointF& p) { return p.x() >= ring.x(); });
    if (right == drawing_.points.end())
        return drawing_.points.empty();
    const auto left = right == drawing_.points.begin() ? right : right - 1;
    const auto [low, high] = std::minmax({left->y(), right->y()});
    const double room = 1e-6 * std::max(std::abs(low), std::abs(high));
    return right->x() == ring.x() ? std::abs(right->y() - ring.y()) <= room
                                  : ring.y() >= low - room && ring.y() <= high + room;
}

std::optional<std::size_t> CurveView::markAt(const QPointF& position) const {
    return drawing_.pointAt(position, canvas()->area(), canvas()->font());
}

namespace curve_view {

ExhibitKind kind() {
    return {Curve::id, QT_TRANSLATE_NOOP("CentrePages", "Curve"),
            [](ViewState&) -> ExhibitPage* { return new CurveView; }};
}

} // namespace curve_view

} // namespace attnlab::ui
