#include "ui/drawing/line_chart_drawing.h"

#include "ui/drawing/heatmap_layout.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <QApplication>
#include <QFontInfo>
#include <QPicture>
#include <QThread>
#include <set>
#include <string>

namespace attnlab::ui {
namespace {

constexpr int tick_length = 3;

/// Lines along an end of the axes are painted in their whole width.
struct WholeGraph : QCPGraph {
    using QCPGraph::QCPGraph;
    QRect clipRect() const override { return mParentPlot->viewport(); }
};

} // namespace

ChartPlot::ChartPlot(const QRectF& area, const DrawingStyle& style)
    : area_(area), look_(style.look), font_(labelFont(style.font)) {
    plot_.setBackground(Qt::NoBrush);
    plot_.setAntialiasedElements(QCP::aeAll);
    plot_.setViewport(QRect(QPoint(0, 0), area.size().toSize()));
    plot_.axisRect()->setMinimumSize(1, 1);
    for (auto* axis : {plot_.xAxis, plot_.yAxis}) {
        axis->setLayer(QStringLiteral("grid")); // below the data
        axis->setTickLabelFont(font_);
        axis->setLabelFont(font_);
        axis->setTickLabelColor(look_.muted);
        axis->setLabelColor(look_.muted);
        axis->setSubTicks(false);
        axis->setTickLabelPadding(tick_length);
        axis->setLabelPadding(tick_length);
        axis->grid()->setPen(QPen(look_.border, 1));
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    plot_.yAxis->setTickLabelPadding(2 * tick_length);
}

void ChartPlot::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style,
                      const std::function<void(ChartPlot&)>& fill) {
    QPicture picture;
    const auto record = [&] {
        ChartPlot chart(area, style);
        fill(chart);
        QCPPainter recorder(&picture);
        chart.plot_.toPainter(&recorder, chart.plot_.viewport().width(), chart.plot_.viewport().height());
    };
    const bool is_gui_thread = QThread::currentThread() == qApp->thread();
    QMetaObject::invokeMethod(qApp, record, is_gui_thread ? Qt::DirectConnection : Qt::BlockingQueuedConnection);
    // Qt enlarges a recorded picture by the resolution of the device over that of the screen, but the painter already
    // has the unit of `area`.
    const auto* device = painter.device();
    painter.save();
    painter.translate(area.topLeft());
    painter.scale(static_cast<double>(picture.logicalDpiX()) / device->logicalDpiX(),
                  static_cast<double>(picture.logicalDpiY()) / device->logicalDpiY());
    painter.drawPicture(QPointF(0, 0), picture);
    painter.restore();
}

double lineScale(const QFont& font) {
    constexpr double usual_letters = 14.0; ///< pixels
    return std::max(1.0, QFontInfo(font).pixelSize() / usual_letters);
}

QString printedNumber(const QString& text) {
    const auto at = text.indexOf(QLatin1Char('e'));
    bool is_number = false;
    const int exponent = QString(text.mid(at + 1)).replace(QChar(0x2212), QLatin1Char('-')).toInt(&is_number);
    if (at < 1 || !is_number)
        return text;
    constexpr char16_t raised[] = u"⁰¹²³⁴⁵⁶⁷⁸⁹";
    const QString factor = text.left(at);
    QString result = factor == QLatin1String("1") ? QString() : factor + QStringLiteral("·");
    result += exponent < 0 ? QStringLiteral("10⁻") : QStringLiteral("10");
    for (const char digit : std::to_string(std::abs(exponent)))
        result += QChar(raised[digit - '0']);
    return result;
}

void ChartPlot::setAxis(QCPAxis& axis, const ChartAxis& numbers) {
    axis.setScaleType(numbers.scale.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis.setRange(numbers.scale.low, numbers.scale.high);
    const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    for (const auto& tick : numbers.ticks)
        ticker->addTick(tick.value, printedNumber(tick.text));
    axis.setTicker(ticker);
    axis.setLabel(numbers.title);
    axis.grid()->setVisible(numbers.has_grid);
    axis.setBasePen(numbers.has_line ? QPen(look_.muted, 1.2) : QPen(Qt::NoPen));
    // A mark without length is painted as a dot, which must not show on the line.
    axis.setTickPen(QPen(numbers.has_line ? look_.muted : look_.border, 1));
    axis.setTickLength(0, numbers.has_tick_marks ? tick_length : 0);
}

void ChartPlot::setAxes(const ChartAxis& x, const ChartAxis& y, const QMarginsF& margins) {
    setAxis(*plot_.xAxis, x);
    setAxis(*plot_.yAxis, y);
    plot_.axisRect()->setMinimumMargins(margins.toMargins());
    for (const auto phase : {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
        plot_.plotLayout()->update(phase);
}

QRectF ChartPlot::body() const { return QRectF(plot_.axisRect()->rect()).translated(area_.topLeft()); }

QPointF ChartPlot::positionOf(const QPointF& point) const {
    return area_.topLeft() + QPointF(plot_.xAxis->coordToPixel(point.x()), plot_.yAxis->coordToPixel(point.y()));
}

QPointF ChartPlot::pointAt(const QPointF& position) const {
    const QPointF pixel = position - area_.topLeft();
    return {plot_.xAxis->pixelToCoord(pixel.x()), plot_.yAxis->pixelToCoord(pixel.y())};
}

QCPGraph* ChartPlot::addLine(const std::vector<QPointF>& points, const QPen& pen) {
    auto* line = new WholeGraph(plot_.xAxis, plot_.yAxis);
    for (const auto& point : points)
        line->addData(point.x(), point.y());
    line->setPen(pen);
    line->setAdaptiveSampling(false);
    return line;
}

void ChartPlot::addDots(const std::vector<QPointF>& points, double radius, const QPen& pen, const QBrush& brush) {
    auto* dots = addLine(points, pen);
    dots->setLineStyle(QCPGraph::lsNone);
    dots->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, pen, brush, 2.0 * radius));
}

void ChartPlot::addBars(const std::vector<QPointF>& points, double width, const QColor& color) {
    auto* bars = new QCPBars(plot_.xAxis, plot_.yAxis);
    for (const auto& point : points)
        bars->addData(point.x(), point.y());
    bars->setWidth(width);
    bars->setPen(Qt::NoPen);
    bars->setBrush(color);
}

void ChartPlot::addText(const QPointF& position, Qt::Alignment alignment, const QString& text, const QColor& color,
                        bool on_card) {
    auto* item = new QCPItemText(&plot_);
    item->setClipToAxisRect(false);
    item->setFont(font_);
    item->setColor(color);
    item->setText(text);
    item->setPositionAlignment(alignment);
    item->position->setType(QCPItemPosition::ptAbsolute);
    item->position->setCoords(position - area_.topLeft());
    if (!on_card)
        return;
    item->setPen(QPen(look_.border, 1));
    item->setBrush(look_.card);
    item->setPadding(QMargins(4, 1, 4, 1));
}

namespace {

constexpr double line_line_gap = 6.0;
constexpr double line_dot = 3.5;

std::vector<QPointF> shownIn(const ChartLine& line) {
    std::vector<QPointF> shown;
    std::ranges::copy_if(line.points, std::back_inserter(shown),
                         [](const QPointF& point) { return std::isfinite(point.y()) && point.x() > 0.0; });
    return shown;
}

bool isAt(const QPointF& point, double x) { return std::abs(point.x() - x) <= 1e-9 * x; }

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
    static const std::array<std::array<QRgb, 2>, 8> colors{{{0xffc0392f, 0xffe5596b},
                                                            {0xff2563d6, 0xff6ea8fe},
                                                            {0xffa86400, 0xfff0ad4e},
                                                            {0xff1b7f55, 0xff3fae7c},
                                                            {0xff7b3fc4, 0xffb48cf2},
                                                            {0xff107a8b, 0xff4fc3d0},
                                                            {0xffb0307a, 0xfff27ab8},
                                                            {0xff5f6b2d, 0xffb7c46a}}};
    const auto& pair = colors[static_cast<std::size_t>(std::max(0, index)) % colors.size()];
    return QColor::fromRgba(pair[look.dark ? 1 : 0]);
}

bool LineChartDrawing::isEmpty() const { return positions().empty(); }

std::vector<double> LineChartDrawing::positions() const {
    std::set<double> all;
    for (const auto& line : lines)
        for (const auto& point : shownIn(line))
            all.insert(point.x());
    return {all.begin(), all.end()};
}

QSizeF LineChartDrawing::smallest(const QFont& font, double) const {
    const double line = QFontMetricsF(font).height();
    return QSizeF(18 * line, 8 * line);
}

void LineChartDrawing::setAxes(ChartPlot& chart) const {
    ValueRange x, y;
    for (const auto& line : lines)
        for (const auto& point : shownIn(line)) {
            x.include(point.x());
            y.include(point.y());
        }
    for (const auto& point : reference)
        y.include(point.y());
    for (const auto& line : lines)
        if (line.now)
            y.include(*line.now);
    ChartAxis across{{.low = x.empty ? 1.0 : x.low, .logarithmic = true}, {}, x_title};
    across.scale.high = x.empty || x.high <= x.low ? across.scale.low * 2.0 : x.high;
    across.has_tick_marks = true;
    ChartAxis up{{.logarithmic = logarithmic_y && y.low > 0.0}};
    up.has_grid = true;
    const double span = y.high > y.low ? y.high - y.low : std::max(std::abs(y.high), 1e-3);
    if (up.scale.logarithmic) {
        up.scale.low = y.low / 1.3;
        up.scale.high = y.high * 1.3;
    } else {
        up.scale.low = y.low >= 0.0 ? 0.0 : y.low - 0.05 * span;
        up.scale.high = std::max(y.high + 0.08 * span, up.scale.low + 1e-9);
    }
    const QFontMetricsF metrics(chart.font());
    const double band = 2.3 * metrics.height() + line_line_gap; // below the body
    int ticks = std::clamp(static_cast<int>((chart.area().height() - band) / (metrics.height() * 2.2)), 3, 6);
    // Few round numbers fit some ranges: rather one more than the two ends.
    while (ticks < 6 && ticksOf(up.scale, ticks).back().value >= up.scale.high)
        ++ticks;
    up.ticks = ticksOf(up.scale, ticks);
    double names = 0.0;
    for (const auto& line : lines)
        names = std::max(names, metrics.horizontalAdvance(line.name));
    names = std::min(names, chart.area().width() * 0.3);
    const double number = std::max(metrics.horizontalAdvance(QStringLiteral("0000")),
                                   metrics.horizontalAdvance(numberText(across.scale.high, 1)));
    const double room = chart.area().width() - names - 2 * number;
    for (const double value : doublings(across.scale.low, across.scale.high, room, number + 2 * line_line_gap))
        across.ticks.push_back({value, numberText(value, 1)});
    chart.setAxes(across, up,
                  {line_line_gap, line_line_gap + metrics.height() / 2,
                   std::max(names + 2 * line_line_gap, number / 2.0 + line_line_gap), 0.0});
}

void LineChartDrawing::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    if (isEmpty())
        return;
    const double wide = lineScale(style.font);
    ChartPlot::paint(painter, area, style, [&](ChartPlot& chart) {
        setAxes(chart);
        if (!reference.empty()) {
            chart.addLine(reference, QPen(style.look.muted, 1.2 * wide, Qt::DashLine));
            addReferenceTitle(chart, style.look);
        }
        for (const auto& line : lines) {
            const QColor color = seriesColor(line.color, style.look);
            const auto shown = shownIn(line);
            if (shown.size() == 1)
                chart.addDots(shown, 1.5 * wide, QPen(color, 2 * wide), Qt::NoBrush);
            else
                chart.addLine(shown, QPen(color, 2 * wide, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        }
        addMarks(chart, style.look, wide);
        addNames(chart, style.look);
    });
}

/// At the end of the dashed line where fewer lines cross it.
void LineChartDrawing::addReferenceTitle(ChartPlot& chart, const Theme& look) const {
    const QFontMetricsF metrics(chart.font());
    const QSizeF size(metrics.horizontalAdvance(reference_title), metrics.height());
    const QRectF body = chart.body();
    const QPointF right(body.right() - line_line_gap, chart.positionOf(reference.back()).y() - 1);
    const QPointF left(body.left() + line_line_gap, chart.positionOf(reference.front()).y() - 1);
    const auto crossing = [&](const QRectF& place) {
        return std::ranges::count_if(lines, [&](const ChartLine& line) {
            const auto points = shownIn(line);
            for (std::size_t k = 1; k < points.size(); ++k) {
                const QLineF part(chart.positionOf(points[k - 1]), chart.positionOf(points[k]));
                constexpr int parts = 16;
                for (int at = 0; at <= parts; ++at)
                    if (place.contains(part.pointAt(static_cast<double>(at) / parts)))
                        return true;
            }
            return false;
        });
    };
    const auto at_right = crossing(QRectF(right - QPointF(size.width(), size.height()), size));
    const auto at_left = crossing(QRectF(left - QPointF(0.0, size.height()), size));
    if (at_left < at_right)
        chart.addText(left, Qt::AlignLeft | Qt::AlignBottom, reference_title, look.muted);
    else
        chart.addText(right, Qt::AlignRight | Qt::AlignBottom, reference_title, look.muted);
}

void LineChartDrawing::addMarks(ChartPlot& chart, const Theme& look, double wide) const {
    const QPointF low = chart.pointAt(chart.body().bottomLeft());
    const QPointF high = chart.pointAt(chart.body().topRight() - QPointF(0.0, line_line_gap));
    const auto add_mark = [&](double x, const QPen& pen) {
        const double within = std::clamp(x, low.x(), high.x());
        chart.addLine({{within, low.y()}, {within, high.y()}}, pen);
    };
    if (hovered)
        add_mark(*hovered, QPen(look.accent, wide));
    if (!marker)
        return;
    add_mark(*marker, QPen(look.pin, 1.4 * wide, Qt::DashLine));
    const auto add_dot = [&](const ChartLine& line, const QPointF& point) {
        chart.addDots({point}, line_dot * wide, QPen(look.card, 1.5 * wide), seriesColor(line.color, look));
    };
    for (const auto& line : lines)
        if (line.now)
            add_dot(line, {std::clamp(*marker, low.x(), high.x()), *line.now});
    // Between points the line says where a curve is.
    for (const auto& line : lines)
        for (const auto& point : shownIn(line))
            if (marks_lines && isAt(point, *marker))
                add_dot(line, point);
}

void LineChartDrawing::addNames(ChartPlot& chart, const Theme& look) const {
    const auto place = [&](const ChartLine* line) { return chart.positionOf(shownIn(*line).back()).y(); };
    std::vector<const ChartLine*> named;
    for (const auto& line : lines)
        if (!shownIn(line).empty())
            named.push_back(&line);
    std::ranges::stable_sort(named, {}, place);
    std::vector<double> places;
    std::ranges::transform(named, std::back_inserter(places), place);
    // Not beside the numbers of the x axis.
    const QFontMetricsF metrics(chart.font());
    const QRectF body = chart.body();
    moveApart(places, metrics.height(), body.top() - metrics.height() / 2, body.bottom() - metrics.height() / 4);
    const double left = body.right() + line_line_gap;
    for (std::size_t k = 0; k < named.size(); ++k)
        chart.addText({left, places[k]}, Qt::AlignLeft | Qt::AlignVCenter,
                      metrics.elidedText(named[k]->name, Qt::ElideRight, chart.area().right() - left),
                      seriesColor(named[k]->color, look));
}

std::optional<double> LineChartDrawing::xAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    if (isEmpty())
        return std::nullopt;
    ChartPlot chart(area, {theme(), font});
    setAxes(chart);
    const double within = std::clamp(position.x(), chart.body().left(), chart.body().right());
    return chart.pointAt({within, position.y()}).x();
}

QPointF LineChartDrawing::positionOf(const QPointF& point, const QRectF& area, const QFont& font) const {
    ChartPlot chart(area, {theme(), font});
    setAxes(chart);
    return chart.positionOf(point);
}

QString LineChartDrawing::textOf(double x) const {
    QStringList parts;
    for (const auto& line : lines)
        for (const auto& point : shownIn(line))
            if (isAt(point, x))
                parts << (line.now && marker && isAt({*marker, 0.0}, x)
                              ? tr("%1: %2 (this draw %3)", "name of a line, its number, that of the draw on show")
                                    .arg(line.name, significantText(point.y()), significantText(*line.now))
                              : tr("%1: %2", "name of a line, its number").arg(line.name, significantText(point.y())));
    return parts.isEmpty() ? QString()
                           : tr("%1 %2\n%3", "x axis, number; then a line for each curve")
                                 .arg(x_title, numberText(x, 4), parts.join(QLatin1Char('\n')));
}

QString LineChartDrawing::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    ChartPlot chart(area, {theme(), font});
    setAxes(chart);
    if (isEmpty() ||
        !chart.body().adjusted(-line_line_gap, -line_line_gap, line_line_gap, line_line_gap).contains(position))
        return {};
    const double x = chart.pointAt(position).x();
    const auto all = positions();
    return textOf(*std::ranges::min_element(all, {}, [&](double each) { return std::abs(std::log(each / x)); }));
}

} // namespace attnlab::ui
