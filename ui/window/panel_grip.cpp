#include "ui/window/panel_grip.h"

#include "ui/widgets/accessible.h"
#include "ui/widgets/own_keys.h"
#include "ui/widgets/theme.h"

#include <QContextMenuEvent>
#include <QDockWidget>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

namespace attnlab::ui {

PanelGrip::PanelGrip(QDockWidget& dock) : QWidget(&dock), dock_(dock) {
    setCursor(Qt::SizeAllCursor);
    setToolTip(tr("Drag to move this panel, double click to float it. View > Panels opens and closes it."));
    setAccessibleRole(*this, QAccessible::Grouping);
    setAccessibleName(tr("Place of %1").arg(dock.windowTitle()));
    declareKeys(*this, {tr("Floating panel"),
                        {{tr("Arrow keys"), tr("Move the panel; with Shift make it larger or smaller")},
                         {tr("Enter"), tr("Put it back into the window, or close it")}}});
    connect(&dock, &QDockWidget::topLevelChanged, this,
            [this](bool floating) { setFocusPolicy(floating ? Qt::TabFocus : Qt::NoFocus); });
}

QSize PanelGrip::sizeHint() const { return {40, 10}; }

void PanelGrip::paintEvent(QPaintEvent*) {
    // A bar, since dots would mean a splitter.
    constexpr double length = 28.0, thickness = 3.0;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(hasFocus() ? theme().accent : theme().muted);
    QRectF bar(0, 0, length, thickness);
    bar.moveCenter(QRectF(rect()).center());
    painter.drawRoundedRect(bar, thickness / 2, thickness / 2);
}

void PanelGrip::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter)
        return openMenu(mapToGlobal(rect().center()));
    constexpr int step = 16;
    const QPoint by = key == Qt::Key_Left    ? QPoint(-step, 0)
                      : key == Qt::Key_Right ? QPoint(step, 0)
                      : key == Qt::Key_Up    ? QPoint(0, -step)
                      : key == Qt::Key_Down  ? QPoint(0, step)
                                             : QPoint();
    if (by.isNull() || !dock_.isFloating())
        return QWidget::keyPressEvent(event);
    if (event->modifiers() & Qt::ShiftModifier)
        dock_.resize(dock_.size() + QSize(by.x(), by.y()));
    else
        dock_.move(dock_.pos() + by);
}

void PanelGrip::contextMenuEvent(QContextMenuEvent* event) { openMenu(event->globalPos()); }

void PanelGrip::openMenu(const QPoint& at) {
    QMenu menu;
    menu.addAction(dock_.isFloating() ? tr("Put back into the window") : tr("Float"), &dock_,
                   [this] { dock_.setFloating(!dock_.isFloating()); });
    menu.addAction(tr("Close this panel"), &dock_, &QWidget::close);
    menu.exec(at);
}

} // namespace attnlab::ui
