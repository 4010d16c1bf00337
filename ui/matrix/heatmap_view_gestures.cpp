// What the mouse, the keyboard and fingers do to a HeatmapView.
#include "ui/matrix/heatmap_view.h"
#include "ui/widgets/own_keys.h"
#include "ui/widgets/tip.h"

#include <QApplication>
#include <QGestureEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr double wheel_step = 1.25;   ///< per notch
constexpr double cursor_pixels = 4.0; ///< minimum movement of the cursor

} // namespace

void HeatmapView::declareGestures() {
    declareKeys(*this, {tr("Matrix"),
                        {{tr("Arrow keys, Page Up, Page Down, Home, End"), tr("Move the cursor over the cells")},
                         {tr("Enter"), tr("Pin the cell under the cursor, or paint it")},
                         {tr("Delete"), tr("Erase the cell under the cursor, while painting")},
                         {tr("Ctrl + arrow keys"), tr("Move the enlarged picture")},
                         {tr("Space and drag"), tr("Move the picture while painting")},
                         {QStringLiteral("+  −  0"), tr("Enlarge, reduce, fit to the room")},
                         {tr("Escape"), tr("Remove the cursor, then the pin")}}});
}

/// By one cell where cells are distinguishable, otherwise by some pixels. False for other keys.
bool HeatmapView::moveCursor(const QKeyEvent& event) {
    const auto least = [](double cell) { return std::max(1, static_cast<int>(std::lround(cursor_pixels / cell))); };
    const QRect seen = visibleCells();
    const int down = least(viewport_.cellHeight()), across = least(viewport_.cellWidth());
    Cell step;
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        step.column = event.key() == Qt::Key_Left ? -across : across;
        break;
    case Qt::Key_Up:
    case Qt::Key_Down:
        step.row = event.key() == Qt::Key_Up ? -down : down;
        break;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        step.row = event.key() == Qt::Key_PageUp ? -seen.height() : seen.height();
        break;
    case Qt::Key_Home:
    case Qt::Key_End:
        step.column = event.key() == Qt::Key_Home ? -tableColumns() : tableColumns();
        break;
    default:
        return false;
    }
    if (axes_.empty() || !source_->hasCells())
        return true;
    if (event.modifiers() & Qt::ControlModifier) {
        const QSizeF page = frame().body.size() / 4.0;
        viewport_.pan({step.column < 0   ? page.width()
                       : step.column > 0 ? -page.width()
                                         : 0.0,
                       step.row < 0   ? page.height()
                       : step.row > 0 ? -page.height()
                                      : 0.0});
        moved();
        return true;
    }
    const Cell from = marks_.cursor.value_or(pinned().value_or(Cell{seen.top(), seen.left()}));
    const auto moved_by = [&](std::int64_t at, int by, int count) {
        return static_cast<int>(std::clamp<std::int64_t>(marks_.cursor ? at + by : at, 0, count - 1));
    };
    setCursorCell(Cell{moved_by(from.row, step.row, tableRows()), moved_by(from.column, step.column, tableColumns())});
    return true;
}

void HeatmapView::click(Cell cell, bool erase) {
    if (painting_) {
        emit strokeBegan(cell, erase);
        emit strokeEnded();
    } else if (!erase) {
        emit cellClicked(cell);
    }
}

void HeatmapView::keyPressEvent(QKeyEvent* event) {
    const bool panning = event->modifiers() == Qt::ControlModifier && !isFitted();
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier) && !panning) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (moveCursor(*event))
        return;
    switch (panning ? Qt::Key_unknown : event->key()) {
    case Qt::Key_0:
        return zoomToFit();
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomIn();
    case Qt::Key_Minus:
        return zoomOut();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (marks_.cursor)
            click(*marks_.cursor, false);
        return;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        if (!painting_)
            break;
        if (marks_.cursor)
            click(*marks_.cursor, true);
        return;
    case Qt::Key_Space:
        space_held_ = true;
        return updateMouseShape();
    case Qt::Key_Escape:
        if (marks_.cursor)
            return setCursorCell(std::nullopt);
        if (!pinned())
            break;
        emit unpinned();
        return;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void HeatmapView::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        space_held_ = false;
        updateMouseShape();
    }
    QWidget::keyReleaseEvent(event);
}

void HeatmapView::focusInEvent(QFocusEvent* event) {
    focus_shown_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    QWidget::focusInEvent(event);
}

void HeatmapView::focusOutEvent(QFocusEvent* event) {
    space_held_ = false;
    focus_shown_ = false;
    if (event->reason() != Qt::PopupFocusReason && marks_.cursor)
        setCursorCell(std::nullopt);
    updateMouseShape();
    QWidget::focusOutEvent(event);
}

void HeatmapView::updateMouseShape() {
    if (gesture_ == Gesture::Pan)
        setCursor(Qt::ClosedHandCursor);
    else if (space_held_)
        setCursor(Qt::OpenHandCursor);
    else if (on_color_bar_)
        setCursor(Qt::PointingHandCursor);
    else if (painting_)
        setCursor(Qt::CrossCursor);
    else
        unsetCursor();
}

void HeatmapView::beginPan(const QPointF& position) {
    gesture_ = Gesture::Pan;
    last_at_ = position;
    updateMouseShape();
}

void HeatmapView::mousePressEvent(QMouseEvent* event) {
    if (gesture_ != Gesture::None)
        return;
    const auto cell = cellAt(event->position());
    const bool left = event->button() == Qt::LeftButton;
    pressed_at_ = event->position();
    if (left && showsMinimap() && minimapRect().contains(event->position())) {
        gesture_ = Gesture::Minimap;
        dragMinimap(event->position());
    } else if (left && isOnColorBar(event->position())) {
        gesture_ = Gesture::ColorBar;
    } else if (event->button() == Qt::MiddleButton || (left && space_held_)) {
        beginPan(event->position());
    } else if (painting_ && cell && (left || event->button() == Qt::RightButton)) {
        gesture_ = Gesture::Stroke;
        stroke_cell_ = cell;
        QToolTip::hideText();
        emit strokeBegan(*cell, !left);
    } else if (!painting_ && left) {
        gesture_ = Gesture::Click;
        pressed_cell_ = cell;
    }
}

void HeatmapView::strokeTo(Cell cell) {
    // A fast mouse skips cells: the stroke fills them in.
    const Cell from = *stroke_cell_;
    const int steps = std::max(std::abs(cell.row - from.row), std::abs(cell.column - from.column));
    for (int i = 1; i <= steps; ++i) {
        const double part = static_cast<double>(i) / steps;
        emit strokeMoved({static_cast<int>(std::lround(from.row + part * (cell.row - from.row))),
                          static_cast<int>(std::lround(from.column + part * (cell.column - from.column)))});
    }
    stroke_cell_ = cell;
}

void HeatmapView::mouseMoveEvent(QMouseEvent* event) {
    if (gesture_ == Gesture::Minimap) {
        dragMinimap(event->position());
        return;
    }
    const auto cell = cellAt(event->position());
    const double way = (event->position() - pressed_at_).manhattanLength();
    if (gesture_ == Gesture::Click && way >= QApplication::startDragDistance())
        beginPan(pressed_at_);
    if (gesture_ == Gesture::Pan) {
        viewport_.pan(event->position() - last_at_);
        last_at_ = event->position();
        moved();
    } else if (gesture_ == Gesture::Stroke && cell) {
        strokeTo(*cell);
    }
    on_color_bar_ = gesture_ == Gesture::None && isOnColorBar(event->position());
    updateMouseShape();
    if (cell == crosshair())
        return;
    marks_.cursor.reset();
    hover(cell);
    if (QToolTip::isVisible() && cell && gesture_ != Gesture::Stroke)
        QToolTip::showText(event->globalPosition().toPoint(), tip_ = cellText(*cell), this);
}

/// Of a cell of which more is known now.
void HeatmapView::renewTip() {
    if (crosshair() && QToolTip::isVisible() && QToolTip::text() == tip_ && tip_ != cellText(*crosshair()))
        QToolTip::showText(QCursor::pos(), tip_ = cellText(*crosshair()), this);
}

void HeatmapView::mouseReleaseEvent(QMouseEvent* event) {
    const Gesture ended = gesture_;
    if (ended == Gesture::None || event->buttons() & (Qt::LeftButton | Qt::MiddleButton | Qt::RightButton))
        return;
    gesture_ = Gesture::None;
    updateMouseShape();
    if (ended == Gesture::ColorBar && isOnColorBar(event->position()))
        emit colorBarClicked(placed().color_bar.toAlignedRect());
    else if (ended == Gesture::Stroke)
        emit strokeEnded();
    else if (ended == Gesture::Click && pressed_cell_ && cellAt(event->position()) == pressed_cell_)
        emit cellClicked(*pressed_cell_);
}

void HeatmapView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (painting_)
        mousePressEvent(event);
    else if (event->button() == Qt::LeftButton)
        zoomToFit();
}

void HeatmapView::wheelEvent(QWheelEvent* event) {
    const double notches = event->angleDelta().y() / 120.0;
    if (notches != 0.0)
        zoom(std::pow(wheel_step, notches), event->position());
    hover(cellAt(event->position()));
    event->accept();
}

void HeatmapView::leaveEvent(QEvent* event) {
    if (!marks_.cursor)
        hover(std::nullopt);
    QWidget::leaveEvent(event);
}

bool HeatmapView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto cell = cellAt(tipPosition(*event));
        const QString usual = isOnColorBar(tipPosition(*event)) ? color_bar_tip_ : QString();
        tip_ = cell && gesture_ != Gesture::Stroke ? cellText(*cell) : usual;
        showTip(*event, tip_, *this);
        return true;
    }
    if (event->type() == QEvent::NativeGesture) { // on a touchpad
        const auto* pinch = static_cast<QNativeGestureEvent*>(event);
        if (pinch->gestureType() == Qt::ZoomNativeGesture) {
            zoom(1.0 + pinch->value(), pinch->position());
            return true;
        }
    }
    if (event->type() == QEvent::Gesture) {
        if (auto* pinch = static_cast<QGestureEvent*>(event)->gesture(Qt::PinchGesture)) {
            pinched(*static_cast<QPinchGesture*>(pinch));
            return true;
        }
    }
    return QWidget::event(event);
}

/// On a touch screen: the cells between the fingers stay there.
void HeatmapView::pinched(const QPinchGesture& pinch) {
    if (gesture_ == Gesture::Stroke)
        emit strokeEnded();
    gesture_ = Gesture::None; // started by the first finger
    const QPointF centre = mapFromGlobal(pinch.centerPoint());
    viewport_.pan(centre - mapFromGlobal(pinch.lastCenterPoint()));
    zoom(pinch.scaleFactor(), centre);
}

} // namespace attnlab::ui
