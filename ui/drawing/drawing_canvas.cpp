#include "ui/drawing/drawing_canvas.h"

#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/popups.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPaintEvent>

#include <cmath>
#include <utility>

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
    if (std::exchange(marked_, tableCursor()) != marked_)
        sayTableCursor(*this);
    else
        sayTableCells(*this);
}

QSize DrawingCanvas::smallestIn(int width) const {
    const QSizeF smallest = drawing_ ? drawing_->smallest(font(), width - 2 * margin_) : QSizeF();
    return QSize(static_cast<int>(std::ceil(smallest.width())), static_cast<int>(std::ceil(smallest.height()))) +
           QSize(2 * margin_, 2 * margin_);
}

int DrawingCanvas::heightForWidth(int width) const { return smallestIn(width).height(); }
QSize DrawingCanvas::minimumSizeHint() const { return {smallestIn(0).width(), 2 * margin_ + 1}; }

QRectF DrawingCanvas::area() const { return QRectF(rect()).adjusted(margin_, margin_, -margin_, -margin_); }

QString DrawingCanvas::textAt(const QPointF& position) const {
    return drawing_ ? drawing_->textAt(position, area(), font()) : QString();
}

int DrawingCanvas::tableRows() const { return table() ? table()->rows() : 0; }
int DrawingCanvas::tableColumns() const { return table() ? table()->columns() : 0; }
QString DrawingCanvas::tableRowName(int row) const { return table()->rowName(row); }
QString DrawingCanvas::tableColumnName(int column) const { return table()->columnName(column); }
QString DrawingCanvas::tableCellText(int row, int column) const { return table()->cellWords(row, column); }

QRect DrawingCanvas::tableCellRect(int row, int column) const {
    return table()->cellPlace(row, column, area(), font()).toAlignedRect().intersected(rect());
}

std::optional<std::pair<int, int>> DrawingCanvas::tableCursor() const {
    return table() ? table()->markedCell() : std::nullopt;
}

void DrawingCanvas::pressTableCell(int row, int column) {
    if (const QRect place = tableCellRect(row, column); !place.isEmpty())
        emit clicked(QRectF(place).center());
}

void DrawingCanvas::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.setClipRect(event->rect());
    if (drawing_)
        drawing_->paint(painter, area(), {theme(), font()});
    if (showsFocus(*this))
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
