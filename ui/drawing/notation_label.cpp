#include "ui/drawing/notation_label.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

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

/// Room for subscripts, which go below the line.
QSize NotationLabel::withScripts(const QSize& line) const {
    constexpr double below_and_above = 0.3; // in heights of the line
    return {line.width(), line.height() + static_cast<int>(std::ceil(below_and_above * fontMetrics().height()))};
}

QSize NotationLabel::sizeHint() const { return withScripts(ElidedLabel::sizeHint()); }
QSize NotationLabel::minimumSizeHint() const { return withScripts(ElidedLabel::minimumSizeHint()); }

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
