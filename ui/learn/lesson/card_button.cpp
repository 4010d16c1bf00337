#include "ui/learn/lesson/card_button.h"

#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

#include <QBoxLayout>
#include <QPainter>

namespace attnlab::ui {

CardButton::CardButton(QBoxLayout* content, QWidget* parent) : QPushButton(parent) {
    setAttribute(Qt::WA_Hover);
    setAutoDefault(true); // Enter works like Space
    setLayout(content);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Minimum);
}

QLabel* CardButton::addWords(QBoxLayout& to, QPalette::ColorRole color) {
    auto* label = new WrappedLabel(this);
    label->setWordWrap(true);
    label->setForegroundRole(color);
    label->setAttribute(Qt::WA_TransparentForMouseEvents);
    to.addWidget(label);
    return label;
}

QSize CardButton::sizeHint() const { return layout()->totalSizeHint(); }
QSize CardButton::minimumSizeHint() const { return layout()->totalMinimumSize(); }

void CardButton::paintFrame(const QColor& edge, bool strong, bool filled) {
    QPainter painter(this);
    const Theme& look = theme();
    painter.setRenderHint(QPainter::Antialiasing);
    const double width = strong ? 2.0 : 1.0;
    painter.setPen(QPen(edge, width));
    painter.setBrush(filled ? look.accent_soft : underMouse() ? palette().color(QPalette::Button) : look.card);
    painter.drawRoundedRect(QRectF(rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2), metrics::radius,
                            metrics::radius);
}

} // namespace attnlab::ui
