#include "ui/learn/card_button.h"

#include "ui/theme.h"

#include <QEvent>
#include <QPainter>

namespace attnlab::ui {

CardButton::CardButton(QWidget* parent) : QPushButton(parent) {
    setAttribute(Qt::WA_Hover);
    setAutoDefault(true); // Enter, as Space
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void CardButton::paintFrame(QPainter& painter, const QColor& edge, bool strong, bool filled) const {
    const Theme& look = theme();
    painter.setRenderHint(QPainter::Antialiasing);
    const double width = strong ? 2.0 : 1.0;
    painter.setPen(QPen(edge, width));
    painter.setBrush(filled ? look.accent_soft : underMouse() ? palette().color(QPalette::Button) : look.card);
    painter.drawRoundedRect(QRectF(rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2), 6, 6);
}

void CardButton::changeEvent(QEvent* event) {
    QPushButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        update();
    if (event->type() == QEvent::FontChange)
        updateGeometry();
}

} // namespace attnlab::ui
