#include "ui/widgets/popups.h"

#include "ui/widgets/text.h"

#include <algorithm>
#include <QApplication>
#include <QHelpEvent>
#include <QLayout>
#include <QMouseEvent>
#include <QPushButton>
#include <QScreen>
#include <QToolTip>
#include <QWindow>

namespace attnlab::ui {
namespace {

void fill(QMessageBox& box, const BoxText& text) {
    box.setTextFormat(Qt::PlainText); // must precede the text
    box.setWindowTitle(titleText(text.title));
    box.setText(text.text);
    box.setInformativeText(text.details);
}

} // namespace

QMessageBox::StandardButton ask(QWidget* window, const BoxText& text, QMessageBox::StandardButtons buttons,
                                QMessageBox::StandardButton usual) {
    QMessageBox box(window);
    fill(box, text);
    box.setStandardButtons(buttons);
    box.setDefaultButton(usual);
    return static_cast<QMessageBox::StandardButton>(box.exec());
}

int askForChoice(QWidget* window, const BoxText& text,
                 const QList<std::pair<QString, QMessageBox::ButtonRole>>& buttons) {
    QMessageBox box(window);
    fill(box, text);
    QList<QAbstractButton*> added;
    for (const auto& [words, role] : buttons)
        added << box.addButton(menuText(words), role);
    box.addButton(QMessageBox::Cancel);
    box.setDefaultButton(qobject_cast<QPushButton*>(added.first()));
    box.exec();
    return static_cast<int>(added.indexOf(box.clickedButton()));
}

namespace {

constexpr int anchor_gap = 3;

} // namespace

Popup::Popup(QWidget* parent) : QFrame(parent, Qt::Popup) {
    setFrameShape(QFrame::StyledPanel);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    setAttribute(Qt::WA_NoMouseReplay); // see mousePressEvent
}

void Popup::openBelow(const QWidget& anchor) { openAt(QRect(anchor.mapToGlobal(QPoint()), anchor.size())); }

void Popup::openAt(const QRect& anchor) {
    anchor_ = anchor;
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

/// As Qt does on platforms that say so, which are not all.
void Popup::mousePressEvent(QMouseEvent* event) {
    if (rect().contains(event->position().toPoint()))
        return QFrame::mousePressEvent(event);
    const QPointF at = event->globalPosition();
    close();
    const QWidget* below = QApplication::widgetAt(at.toPoint());
    QWindow* window = below ? below->window()->windowHandle() : nullptr;
    if (!window || below->window() != parentWidget()->window() || anchor_.contains(at.toPoint()))
        return;
    const QPointF place = window->mapFromGlobal(at);
    QCoreApplication::postEvent(window, new QMouseEvent(event->type(), place, place, at, event->button(),
                                                        event->buttons(), event->modifiers()));
}

QPoint tipPosition(const QEvent& event) { return static_cast<const QHelpEvent&>(event).pos(); }

void showTip(QEvent& event, const QString& text, QWidget& widget, const QRect& place) {
    if (text.isEmpty()) {
        QToolTip::hideText();
        event.ignore();
    } else {
        QToolTip::showText(static_cast<const QHelpEvent&>(event).globalPos(), text, &widget, place);
    }
}

} // namespace attnlab::ui
