#include "ui/panel_grip.h"

#include "ui/theme.h"

#include <QContextMenuEvent>
#include <QDockWidget>
#include <QMenu>
#include <QPainter>

namespace attnlab::ui {

PanelGrip::PanelGrip(QDockWidget& dock) : QWidget(&dock), dock_(dock) {
    setCursor(Qt::SizeAllCursor);
    retranslate();
}

QSize PanelGrip::sizeHint() const { return {40, 10}; }

void PanelGrip::paintEvent(QPaintEvent*) {
    constexpr int dots = 5;
    constexpr double step = 5.0, radius = 1.1;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().muted);
    const QPointF centre = QRectF(rect()).center();
    for (int i = 0; i < dots; ++i)
        painter.drawEllipse(centre + QPointF((i - dots / 2) * step, 0.5), radius, radius);
}

void PanelGrip::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu;
    menu.addAction(dock_.isFloating() ? tr("Put back into the window") : tr("Float"), &dock_,
                   [this] { dock_.setFloating(!dock_.isFloating()); });
    menu.addAction(tr("Close this panel"), &dock_, &QWidget::close);
    menu.exec(event->globalPos());
}

void PanelGrip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    if (event->type() == QEvent::PaletteChange)
        update();
    QWidget::changeEvent(event);
}

void PanelGrip::retranslate() {
    setToolTip(tr("Drag to move this panel, double click to float it. View > Panels opens and closes it."));
}

} // namespace attnlab::ui
