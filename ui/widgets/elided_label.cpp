#include "ui/widgets/elided_label.h"

#include "ui/widgets/tip.h"

#include <QEvent>
#include <QPainter>
#include <QStyle>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int elided_fewest_letters = 3;

} // namespace

ElidedLabel::ElidedLabel(QWidget* parent) : Label(parent) {}

void ElidedLabel::setElideMode(Qt::TextElideMode mode) {
    mode_ = mode;
    update();
}

/// Selectable text is painted by QLabel.
bool ElidedLabel::isPlain() const {
    return textFormat() == Qt::PlainText && !(textInteractionFlags() & Qt::TextSelectableByMouse);
}

QSize ElidedLabel::sizeFor(int text_width) const {
    const QMargins margins = contentsMargins();
    const int around = 2 * (margin() + frameWidth());
    // With a margin against rounding.
    return QSize(text_width + 2 + around + margins.left() + margins.right(),
                 fontMetrics().height() + around + margins.top() + margins.bottom());
}

QSize ElidedLabel::sizeHint() const {
    return elides() ? sizeFor(fontMetrics().horizontalAdvance(text())) : QLabel::sizeHint();
}

QSize ElidedLabel::minimumSizeHint() const {
    if (!elides())
        return QLabel::minimumSizeHint();
    const int few = fontMetrics().averageCharWidth() * elided_fewest_letters;
    return sizeFor(std::min(few, fontMetrics().horizontalAdvance(text())));
}

QString ElidedLabel::shownText() const {
    const int room = contentsRect().width() - 2 * margin();
    return elides() ? fontMetrics().elidedText(text(), mode_, room) : text();
}

void ElidedLabel::paintEvent(QPaintEvent* event) {
    if (!isPlain())
        return QLabel::paintEvent(event);
    QPainter painter(this);
    drawFrame(&painter);
    const QRect room = contentsRect().adjusted(margin(), margin(), -margin(), -margin());
    const auto flags = static_cast<int>(QStyle::visualAlignment(layoutDirection(), alignment())) |
                       (wordWrap() ? Qt::TextWordWrap : Qt::TextSingleLine);
    style()->drawItemText(&painter, room, flags, palette(), isEnabled(), shownText(), foregroundRole());
}

bool ElidedLabel::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !toolTip().isEmpty() || shownText() == text())
        return QLabel::event(event);
    showTip(*event, text(), *this);
    return true;
}

} // namespace attnlab::ui
