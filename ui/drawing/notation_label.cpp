#include "ui/drawing/notation_label.h"

#include <QFontMetricsF>
#include <QPainter>

namespace attnlab::ui {

void NotationLabel::setFormula(const QString& plain) {
    formula_ = notationOf(plain);
    setText(plain);
    update();
}

void NotationLabel::setWords(const QString& words) {
    formula_.clear();
    setText(words);
    update();
}

void NotationLabel::paintEvent(QPaintEvent* event) {
    if (formula_.empty())
        return ElidedLabel::paintEvent(event);
    const QRectF room = contentsRect();
    if (notationWidth(formula_, font()) > room.width())
        return;
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    const QFontMetricsF metrics(font());
    paintNotation(painter, QPointF(room.left(), room.center().y() + (metrics.ascent() - metrics.descent()) / 2),
                  formula_, font());
}

} // namespace attnlab::ui
