#include "ui/widgets/divider_keys.h"

#include "ui/widgets/own_keys.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace attnlab::ui {

DividerKeys::DividerKeys(QWidget& divider, Ways ways) : QObject(&divider), divider_(divider), ways_(std::move(ways)) {
    divider.installEventFilter(this);
    declareKeys(divider, {tr("Divider"),
                          {{tr("Arrow keys, Home, End"), tr("Move the divider")},
                           {tr("Enter"), tr("Leave it there")},
                           {tr("Escape"), tr("Put it back to where it was")}}});
}

DividerKeys* DividerKeys::of(const QWidget& widget) {
    return widget.findChild<DividerKeys*>(QString(), Qt::FindDirectChildrenOnly);
}

void DividerKeys::moveTo(int place) {
    const int before = ways_.place();
    ways_.move_to(std::clamp(place, 0, ways_.room()));
    if (before == ways_.place())
        return;
    QAccessibleValueChangeEvent event(&divider_, ways_.place());
    QAccessible::updateAccessibility(&event);
}

bool DividerKeys::press(int key) {
    const bool across = ways_.moves == Qt::Horizontal;
    if (key == (across ? Qt::Key_Left : Qt::Key_Up))
        moveTo(place() - step);
    else if (key == (across ? Qt::Key_Right : Qt::Key_Down))
        moveTo(place() + step);
    else if (key == Qt::Key_Home)
        moveTo(0);
    else if (key == Qt::Key_End)
        moveTo(room());
    else if (key == Qt::Key_Escape)
        moveTo(before_);
    else if (key != Qt::Key_Return && key != Qt::Key_Enter)
        return false;
    if (key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter)
        emit left();
    return true;
}

bool DividerKeys::eventFilter(QObject*, QEvent* event) {
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
        if (event->type() == QEvent::FocusIn)
            before_ = place();
        divider_.update();
        return false;
    }
    if (event->type() != QEvent::KeyPress)
        return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    return !(key->modifiers() & ~Qt::KeypadModifier) && press(key->key());
}

} // namespace attnlab::ui
