#include "ui/widgets/wheel_guard.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QScrollBar>
#include <QTabBar>

namespace attnlab::ui {
namespace {

bool changesByWheel(const QObject* receiver) {
    return qobject_cast<const QAbstractSpinBox*>(receiver) || qobject_cast<const QComboBox*>(receiver) ||
           qobject_cast<const QTabBar*>(receiver) ||
           (qobject_cast<const QAbstractSlider*>(receiver) && !qobject_cast<const QScrollBar*>(receiver));
}

} // namespace

void WheelGuard::install() {
    static constexpr char marker[] = "attnlab_wheel_guard";
    if (qApp->property(marker).toBool())
        return;
    qApp->setProperty(marker, true);
    qApp->installEventFilter(new WheelGuard(qApp));
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Wheel || !changesByWheel(watched))
        return false;
    const auto* widget = static_cast<const QWidget*>(watched);
    const auto* focus = QApplication::focusWidget();
    if (focus && (focus == widget || widget->isAncestorOf(focus)))
        return false;
    event->ignore(); // QApplication passes it on to the parent
    return true;
}

} // namespace attnlab::ui
