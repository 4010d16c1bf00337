#include "ui/widgets/badge.h"

#include "ui/widgets/theme.h"

#include <QPainter>

namespace attnlab::ui {
namespace {

constexpr int beside = 8, above = 2; ///< between the frame and the text

} // namespace

Badge::Badge(QWidget* parent) : Label(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    hide();
}

void Badge::say(const QString& text, const QString& tip) {
    setText(text);
    setToolTip(tip);
    setAccessibleDescription(tip);
    setVisible(!text.isEmpty());
    updateGeometry();
}

QSize Badge::sizeHint() const {
    const QFontMetrics metrics(font());
    return {metrics.horizontalAdvance(text()) + 2 * beside, metrics.height() + 2 * above};
}

void Badge::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().outline, 1.0));
    painter.setBrush(theme().window);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), height() / 2.0, height() / 2.0);
    painter.setPen(theme().text);
    painter.drawText(rect(), Qt::AlignCenter, text());
}

} // namespace attnlab::ui
