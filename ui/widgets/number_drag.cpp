#include "ui/widgets/number_drag.h"

#include <algorithm>
#include <cmath>
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWidget>

namespace attnlab::ui {
namespace {

constexpr double pixels_of_step = 4.0;
constexpr double coarse = 10.0, fine = 0.1;

} // namespace

NumberDrag::NumberDrag(QWidget& target) : QObject(&target), target_(target) {
    target.setMouseTracking(true);
    target.installEventFilter(this);
}

bool NumberDrag::move(const QMouseEvent& event) {
    const double x = event.position().x();
    if (!dragging_) {
        const QPoint way = event.position().toPoint() - pressed_at_;
        if (way.manhattanLength() < QApplication::startDragDistance())
            return true; // not yet a selection either
        if (std::abs(way.x()) <= std::abs(way.y())) {
            pressed_ = false;
            return false; // a drag up or down selects
        }
        dragging_ = true;
        steps_ = 0.0;
        last_x_ = pressed_at_.x();
        qApp->installEventFilter(this); // Escape goes to whatever has the focus
        emit began();
    }
    const auto keys = event.modifiers();
    const double weight = keys & Qt::ShiftModifier                         ? coarse
                          : keys & (Qt::AltModifier | Qt::ControlModifier) ? fine
                                                                           : 1.0;
    steps_ += (x - last_x_) / pixels_of_step * weight;
    last_x_ = x;
    emit moved(steps_);
    return true;
}

void NumberDrag::end(bool kept) {
    dragging_ = false;
    pressed_ = false;
    qApp->removeEventFilter(this);
    emit ended(kept);
}

bool NumberDrag::eventFilter(QObject* watched, QEvent* event) {
    if (dragging_ && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        end(false);
        return true;
    }
    if (dragging_ && event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    if (watched != &target_)
        return false;
    switch (event->type()) {
    case QEvent::MouseButtonPress: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (dragging_) {
            end(false);
            return true;
        }
        pressed_at_ = mouse->position().toPoint();
        pressed_ = mouse->button() == Qt::LeftButton && mouse->modifiers() == Qt::NoModifier && target_.isEnabled() &&
                   (!where_ || where_(pressed_at_));
        return false;
    }
    case QEvent::MouseMove: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (pressed_ && mouse->buttons() & Qt::LeftButton)
            return move(*mouse);
        const bool here = target_.isEnabled() && (!where_ || where_(mouse->position().toPoint()));
        if (here != has_shape_)
            here ? target_.setCursor(Qt::SizeHorCursor) : target_.unsetCursor();
        has_shape_ = here;
        return false;
    }
    case QEvent::MouseButtonRelease:
        pressed_ = false;
        if (dragging_) {
            end(true);
            return true;
        }
        return false;
    default:
        return false;
    }
}

double draggedNumber(double start, double steps, bool is_whole) {
    if (is_whole)
        return start + std::trunc(steps);
    if (!std::isfinite(start))
        return start;
    const double magnitude = std::abs(start);
    const double place = magnitude < 1e-3 ? -1.0 : std::clamp(std::floor(std::log10(magnitude)) - 1.0, -2.0, 300.0);
    const double unit = std::pow(10.0, place);
    const double sum = start + steps * unit;
    const double rounding = unit / 1000.0;
    return rounding < 1.0 ? std::round(sum * std::round(1.0 / rounding)) / std::round(1.0 / rounding)
                          : std::round(sum / rounding) * rounding;
}

} // namespace attnlab::ui
