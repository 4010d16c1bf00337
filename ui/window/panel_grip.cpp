#include "ui/window/panel_grip.h"

#include "ui/widgets/theme.h"

#include <QContextMenuEvent>
#include <QDockWidget>
#include <QMenu>
#include <QPainter>

namespace attnlab::ui {

PanelGrip::PanelGrip(QDockWidget& dock) : QWidget(&dock), dock_(dock) {
    setCursor(Qt::SizeAllCursor);
    setToolTip(tr("Drag to move this panel, double click to float it. View > Panels opens and closes it."));
}

QSize PanelGrip::sizeHint() const { return {40, 10}; }

void PanelGrip::paintEvent(QPaintEvent*) {
    // A bar, since dots would mean a splitter.
    constexpr double length = 28.0, thickness = 3.0;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().muted);
    QRectF bar(0, 0, length, thickness);
    bar.moveCenter(QRectF(rect()).center());
    painter.drawRoundedRect(bar, thickness / 2, thickness / 2);
}

void PanelGrip::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu;
    menu.addAction(dock_.isFloating() ? tr("Put back into the window") : tr("Float"), &dock_,
                   [this] { dock_.setFloating(!dock_.isFloating()); });
    menu.addAction(tr("Close this panel"), &dock_, &QWidget::close);
    menu.exec(event->globalPos());
}

void PanelGrip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        update();
    QWidget::changeEvent(event);
}

} // namespace attnlab::ui
