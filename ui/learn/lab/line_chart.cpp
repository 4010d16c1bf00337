#include "ui/learn/lab/line_chart.h"

#include "ui/widgets/own_keys.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace attnlab::ui {

LineChart::LineChart(QWidget* parent) : DrawingCanvas(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setDrawing(&chart_);
    declareKeys(*this,
                {tr("Curve"), {{tr("Left, Right, Home, End"), tr("Choose a point of the curve, or read it off")}}});
    connect(this, &DrawingCanvas::clicked, this, &LineChart::pick);
    connect(this, &DrawingCanvas::pointed, this, [this](std::optional<QPointF> position) {
        chart_.hovered = position ? xAt(*position) : std::nullopt;
        update();
    });
}

void LineChart::setChart(LineChartDrawing chart) {
    chart_ = std::move(chart);
    refreshChart();
}

void LineChart::setPickable(bool on) {
    pickable_ = on;
    setCursor(on ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void LineChart::setPlaceholder(const QString& text) {
    placeholder_ = text;
    update();
}

std::optional<double> LineChart::xAt(const QPointF& position) const { return chart_.xAt(position, area(), font()); }
QPointF LineChart::positionOf(const QPointF& point) const { return chart_.positionOf(point, area(), font()); }

QSize LineChart::sizeHint() const { return QSize(30, 12) * fontMetrics().height(); }
QSize LineChart::minimumSizeHint() const { return {DrawingCanvas::minimumSizeHint().width(), heightForWidth(width())}; }

void LineChart::refreshChart() {
    setAccessibleDescription(chart_.textOf(chart_.marker.value_or(0.0)));
    update();
}

void LineChart::paintEvent(QPaintEvent* event) {
    DrawingCanvas::paintEvent(event);
    if (!chart_.isEmpty())
        return;
    QPainter painter(this);
    painter.setPen(theme().muted);
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, placeholder_);
}

void LineChart::pick(const QPointF& position) {
    if (const auto x = xAt(position); x && pickable_)
        emit picked(*x);
}

void LineChart::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton)
        pick(event->position());
    else
        DrawingCanvas::mouseMoveEvent(event);
}

void LineChart::keyPressEvent(QKeyEvent* event) {
    const auto all = chart_.positions();
    const auto at = pickable_ || !chart_.hovered ? chart_.marker : chart_.hovered;
    const double now = at.value_or(all.empty() ? 1.0 : all.front());
    std::optional<double> next;
    constexpr double near = 1e-9;
    if (all.empty())
        next.reset();
    else if (event->key() == Qt::Key_Home)
        next = all.front();
    else if (event->key() == Qt::Key_End)
        next = all.back();
    else if (event->key() == Qt::Key_Right)
        next = *std::ranges::find_if(all.begin(), all.end() - 1, [&](double x) { return x > now * (1.0 + near); });
    else if (event->key() == Qt::Key_Left)
        next = *std::ranges::find_if(all.rbegin(), all.rend() - 1, [&](double x) { return x < now * (1.0 - near); });
    if (!next)
        return QWidget::keyPressEvent(event);
    if (pickable_)
        emit picked(*next);
    else
        readOff(next);
}

/// As the mouse does.
void LineChart::readOff(std::optional<double> x) {
    chart_.hovered = x;
    setAccessibleDescription(chart_.textOf(x.value_or(chart_.marker.value_or(0.0))));
    update();
}

void LineChart::focusOutEvent(QFocusEvent* event) {
    DrawingCanvas::focusOutEvent(event);
    if (chart_.hovered)
        readOff({});
}

} // namespace attnlab::ui
