#include "ui/panels/ribbon/answer_box.h"

#include "ui/widgets/theme.h"

#include <QEvent>
#include <QPainter>

namespace attnlab::ui {

QSize AnswerBox::sizeFor(int letters) const {
    return {letters * fontMetrics().horizontalAdvance(QLatin1Char('0')), QWidget::sizeHint().height()};
}

void AnswerBox::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().window);
    painter.drawRoundedRect(QRectF(rect()), 6, 6);
}

void AnswerBox::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        update();
}

} // namespace attnlab::ui
