#include "ui/plot/line_chart.h"

#include "ui/card.h"
#include "ui/tip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {

LineChart::LineChart(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void LineChart::setChart(LineChartDrawing chart) {
    chart_ = std::move(chart);
    describe();
    update();
}

void LineChart::setMarker(std::optional<double> x) {
    if (x == chart_.marker)
        return;
    chart_.marker = x;
    describe();
    update();
}

void LineChart::setPickable(bool on) {
    pickable_ = on;
    setCursor(on ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void LineChart::setPlaceholder(const QString& text) {
    placeholder_ = text;
    update();
}

QRectF LineChart::area() const { return QRectF(rect()).adjusted(2, 2, -2, -2); }

QPointF LineChart::positionOf(const QPointF& point) const { return chart_.positionOf(point, area(), font()); }

QSize LineChart::sizeHint() const { return QSize(30, 12) * fontMetrics().height(); }
QSize LineChart::minimumSizeHint() const { return chart_.smallest(font(), width()).toSize() + QSize(4, 4); }

void LineChart::describe() {
    const double now = chart_.marker.value_or(0.0);
    setAccessibleDescription(chart_.textOf(now));
}

void LineChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (chart_.isEmpty()) {
        painter.setPen(theme().muted);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, placeholder_);
    } else {
        chart_.paint(painter, area(), {theme(), font()});
    }
    if (hasFocus())
        paintFocusFrame(painter, *this);
}

void LineChart::pick(const QPointF& position) {
    if (const auto x = chart_.xAt(position, area(), font()); x && pickable_)
        emit picked(*x);
}

void LineChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        pick(event->position());
}

void LineChart::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) {
        pick(event->position());
        return;
    }
    chart_.hovered = chart_.xAt(event->position(), area(), font());
    update();
}

void LineChart::leaveEvent(QEvent*) {
    chart_.hovered.reset();
    update();
}

void LineChart::keyPressEvent(QKeyEvent* event) {
    const auto all = chart_.positions();
    const double now = chart_.marker.value_or(all.empty() ? 1.0 : all.front());
    std::optional<double> next;
    constexpr double near = 1e-9;
    if (all.empty() || !pickable_)
        next.reset();
    else if (event->key() == Qt::Key_Home)
        next = all.front();
    else if (event->key() == Qt::Key_End)
        next = all.back();
    else if (event->key() == Qt::Key_Right)
        next = *std::ranges::find_if(all.begin(), all.end() - 1, [&](double x) { return x > now * (1.0 + near); });
    else if (event->key() == Qt::Key_Left)
        next = *std::ranges::find_if(all.rbegin(), all.rend() - 1, [&](double x) { return x < now * (1.0 - near); });
    if (next)
        emit picked(*next);
    else
        QWidget::keyPressEvent(event);
}

bool LineChart::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    showTip(*event, chart_.textAt(tipPosition(*event), area(), font()), *this);
    return true;
}

void LineChart::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateGeometry();
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        update();
}

} // namespace attnlab::ui
