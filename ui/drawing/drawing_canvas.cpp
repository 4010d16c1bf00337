#include "ui/drawing/drawing_canvas.h"

#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/tip.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPaintEvent>

namespace attnlab::ui {
DrawingCanvas::DrawingCanvas(QWidget* parent, int margin) : QWidget(parent), margin_(margin) {
    setAccessibleRole(*this, QAccessible::Chart);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void DrawingCanvas::setDrawing(const Drawing* drawing) {
    drawing_ = drawing;
    refresh();
}

void DrawingCanvas::refresh() {
    updateGeometry();
    update();
}

QSize DrawingCanvas::smallestIn(int width) const {
    const QSizeF smallest = drawing_ ? drawing_->smallest(font(), width - 2 * margin_) : QSizeF();
    return smallest.toSize() + QSize(2 * margin_ + 1, 2 * margin_ + 1);
}

int DrawingCanvas::heightForWidth(int width) const { return smallestIn(width).height(); }
QSize DrawingCanvas::minimumSizeHint() const { return {smallestIn(0).width(), 2 * margin_ + 1}; }

QRectF DrawingCanvas::area() const { return QRectF(rect()).adjusted(margin_, margin_, -margin_, -margin_); }

QString DrawingCanvas::textAt(const QPointF& position) const {
    return drawing_ ? drawing_->textAt(position, area(), font()) : QString();
}

void DrawingCanvas::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.setClipRect(event->rect());
    if (drawing_)
        drawing_->paint(painter, area(), {theme(), font()});
    if (hasFocus())
        paintFocusFrame(painter, *this);
}

bool DrawingCanvas::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    showTip(*event, textAt(tipPosition(*event)), *this);
    return true;
}

void DrawingCanvas::mouseMoveEvent(QMouseEvent* event) { emit pointed(event->position()); }

void DrawingCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        emit clicked(event->position());
}

void DrawingCanvas::leaveEvent(QEvent*) { emit pointed(std::nullopt); }

} // namespace attnlab::ui
