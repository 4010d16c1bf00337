#include "ui/widgets/popup.h"

#include <QGuiApplication>
#include <QLayout>
#include <QScreen>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int anchor_gap = 3;

} // namespace

Popup::Popup(QWidget* parent) : QFrame(parent, Qt::Popup) {
    setFrameShape(QFrame::StyledPanel);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
}

void Popup::openBelow(const QWidget& anchor) { openAt(QRect(anchor.mapToGlobal(QPoint()), anchor.size())); }

void Popup::openAt(const QRect& anchor) {
    if (layout())
        layout()->activate();
    adjustSize();
    const QScreen* screen = QGuiApplication::screenAt(anchor.center());
    const QRect room = (screen ? screen : this->screen())->availableGeometry();
    int top = anchor.bottom() + anchor_gap;
    if (top + height() > room.bottom())
        top = std::max(room.top(), std::min(anchor.top() - anchor_gap, room.bottom()) - height());
    move(std::clamp(anchor.left(), room.left(), std::max(room.left(), room.right() - width())), top);
    show();
    if (QWidget* next = nextInFocusChain())
        for (QWidget* widget = next; widget != this; widget = widget->nextInFocusChain())
            if (isAncestorOf(widget) && widget->isVisible() && widget->isEnabled() &&
                (widget->focusPolicy() & Qt::TabFocus)) {
                widget->setFocus(Qt::PopupFocusReason);
                return;
            }
}

} // namespace attnlab::ui
