#include "ui/drawing/chart_plot.h"

#include "ui/drawing/heatmap_layout.h"

#include <QApplication>
#include <QPicture>
#include <QThread>

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
    painter.drawPicture(area.topLeft(), picture);
}

void ChartPlot::setAxis(QCPAxis& axis, const ChartAxis& numbers) {
    axis.setScaleType(numbers.scale.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis.setRange(numbers.scale.low, numbers.scale.high);
    const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    for (const auto& tick : numbers.ticks)
        ticker->addTick(tick.value, tick.text);
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

} // namespace attnlab::ui
