#include "tests/soak/hands.h"

#include "tests/soak/soak_watch.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/panels/inputs/tensor_table.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QClipboard>
#include <QDrag>
#include <QKeySequence>
#include <QPointer>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>
#include <QWindow>

#include <iterator>
#include <utility>

namespace attnlab::soak {

using namespace attnlab::ui;

namespace {

/// A press may delete the window (a menu that closes), and so may other events handled meanwhile; the release is then
/// dropped. QTest::keyClick would still press and release the modifier keys.
void clickKey(const QPointer<QWindow>& window, Qt::Key key, const QString& text, Qt::KeyboardModifiers modifiers = {}) {
    if (window)
        QTest::simulateEvent(window, true, key, modifiers, text, false);
    if (window)
        QTest::simulateEvent(window, false, key, modifiers, text, false);
}

/// Presses at the first position, moves over the others and releases at the last. A drag of selected text would wait
/// here in an event loop of its own for the release.
void dragMouse(const QPointer<QWindow>& window, Qt::MouseButton button, Qt::KeyboardModifiers modifiers,
               const QList<QPoint>& places) {
    if (window)
        QTest::mousePress(window, button, modifiers, places.first());
    QTimer::singleShot(500, [] { QDrag::cancel(); });
    for (const auto& place : places.mid(1))
        if (window)
            QTest::mouseMove(window, place);
    if (window)
        QTest::mouseRelease(window, button, modifiers, places.last());
}

} // namespace

/// The receiver of keys and the mouse: a popup, a dialog, or mostly the window.
QWidget* Hands::target() {
    if (auto* popup = QApplication::activePopupWidget())
        return popup;
    if (auto* modal = QApplication::activeModalWidget())
        return modal;
    QList<QWidget*> others;
    for (auto* widget : QApplication::topLevelWidgets())
        if (widget->isVisible() && widget != &window_)
            others << widget;
    return others.isEmpty() || !chance_.once_in(4) ? &window_ : others[chance_.below(static_cast<int>(others.size()))];
}

void Hands::typeNumber() {
    auto* table = window_.findChild<InputsPanel*>()->table();
    if (!table->isVisible() || !table->model() || table->model()->rowCount() == 0 || QApplication::activePopupWidget())
        return;
    const auto index =
        table->model()->index(chance_.below(table->model()->rowCount()), chance_.below(table->model()->columnCount()));
    const auto number = randomNumber(chance_);
    note(QStringLiteral("type '%1' into %2, %3").arg(number).arg(index.row()).arg(index.column()));
    window_.activateWindow();
    table->setCurrentIndex(index);
    table->setFocus();
    if (chance_.once_in(5)) {
        QGuiApplication::clipboard()->setText(chance_.once_in(4) ? number : QStringLiteral("1\t2\n3\t4\n"));
        table->paste();
        return;
    }
    for (const QChar c : number)
        clickKey(window_.windowHandle(), Qt::Key_unknown, QString(c));
    if (!chance_.once_in(8))
        clickKey(window_.windowHandle(), Qt::Key_Return, QStringLiteral("\r"));
}

void Hands::pressKey() {
    static constexpr std::pair<Qt::Key, Qt::KeyboardModifiers::Int> keys[] = {{Qt::Key_Tab, 0},
                                                                              {Qt::Key_Backtab, Qt::ShiftModifier},
                                                                              {Qt::Key_Up, 0},
                                                                              {Qt::Key_Down, 0},
                                                                              {Qt::Key_Left, 0},
                                                                              {Qt::Key_Right, 0},
                                                                              {Qt::Key_Return, 0},
                                                                              {Qt::Key_Escape, 0},
                                                                              {Qt::Key_Escape, 0},
                                                                              {Qt::Key_Space, 0},
                                                                              {Qt::Key_Delete, 0},
                                                                              {Qt::Key_Home, 0},
                                                                              {Qt::Key_End, 0},
                                                                              {Qt::Key_PageUp, 0},
                                                                              {Qt::Key_PageDown, 0},
                                                                              {Qt::Key_F2, 0},
                                                                              {Qt::Key_F5, 0},
                                                                              {Qt::Key_Plus, Qt::ControlModifier},
                                                                              {Qt::Key_A, Qt::ControlModifier},
                                                                              {Qt::Key_C, Qt::ControlModifier},
                                                                              {Qt::Key_V, Qt::ControlModifier},
                                                                              {Qt::Key_X, Qt::ControlModifier},
                                                                              {Qt::Key_Down, Qt::ShiftModifier},
                                                                              {Qt::Key_Right, Qt::ShiftModifier},
                                                                              {Qt::Key_Minus, Qt::ControlModifier},
                                                                              {Qt::Key_0, Qt::ControlModifier}};
    const auto& [key, modifiers] = keys[chance_.below(std::size(keys))];
    auto* widget = target();
    if (!widget->windowHandle())
        return;
    note(QStringLiteral("key %1 to %2, focus on %3")
             .arg(QKeySequence(key | Qt::KeyboardModifiers(modifiers)).toString(), nameOf(widget),
                  nameOf(QApplication::focusWidget())));
    clickKey(widget->windowHandle(), key, {}, Qt::KeyboardModifiers(modifiers));
}

void Hands::mouse() {
    auto* widget = target();
    const QPointer<QWindow> window = widget->windowHandle();
    if (!window)
        return;
    const auto place = [&] { return QPoint(chance_.below(widget->width()), chance_.below(widget->height())); };
    const QPoint at = place();
    const auto* under = widget->childAt(at);
    const auto say = [&](const char* what) {
        note(QStringLiteral("%1 at %2, %3 of %4: %5")
                 .arg(QLatin1String(what))
                 .arg(at.x())
                 .arg(at.y())
                 .arg(nameOf(widget), nameOf(under)));
    };
    const auto modifiers = chance_.once_in(6)   ? Qt::ControlModifier
                           : chance_.once_in(6) ? Qt::ShiftModifier
                                                : Qt::NoModifier;
    switch (chance_.below(10)) {
    case 0:
        say("double click");
        dragMouse(window, Qt::LeftButton, modifiers, {at}); // the second click makes it a double click
        dragMouse(window, Qt::LeftButton, modifiers, {at});
        break;
    case 1:
        say("right click");
        dragMouse(window, Qt::RightButton, modifiers, {at});
        break;
    case 2: {
        say("drag");
        QList<QPoint> places{at};
        for (int i = chance_.below(5) + 1; i >= 0; --i)
            places << place();
        dragMouse(window, Qt::LeftButton, modifiers, places);
        break;
    }
    case 3:
    case 4: {
        say("wheel");
        const QPoint delta(0, chance_.once_in(2) ? 120 : -120);
        QWheelEvent event(at, window->mapToGlobal(at), {}, delta, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(window, &event);
        break;
    }
    case 5:
    case 6:
        say("move");
        QTest::mouseMove(window, at);
        break;
    default:
        say("click");
        dragMouse(window, Qt::LeftButton, modifiers, {at});
    }
}

} // namespace attnlab::soak
