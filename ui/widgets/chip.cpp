#include "ui/widgets/chip.h"

#include "ui/widgets/theme.h"

#include <QEvent>
#include <QPainter>

namespace attnlab::ui {
namespace {

constexpr int chip_side_padding = 8;
constexpr int chip_line_padding = 2;
constexpr double font_share = 0.93; ///< relative to the surrounding text: several chips fit a line

} // namespace

Chip::Chip(QWidget* parent) : QAbstractButton(parent) {
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    QFont smaller = font();
    if (smaller.pointSizeF() > 0.0)
        smaller.setPointSizeF(smaller.pointSizeF() * font_share);
    setFont(smaller);
}

QSize Chip::sizeHint() const {
    const QFontMetrics metrics = fontMetrics();
    return {metrics.horizontalAdvance(text()) + 2 * chip_side_padding, metrics.height() + 2 * chip_line_padding};
}

void Chip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& look = theme();
    const QRectF frame = QRectF(rect()).adjusted(1.0, 1.0, -1.0, -1.0);
    const bool strong = isChecked() || isDown();
    const bool accented = isEnabled() && (strong || hasFocus());
    const QColor edge = accented ? look.accent : underMouse() ? look.muted : look.border;
    painter.setPen(QPen(edge, hasFocus() ? 2.0 : 1.0));
    painter.setBrush(strong ? look.accent_soft : look.card);
    painter.drawRoundedRect(frame, frame.height() / 2, frame.height() / 2);
    painter.setPen(!isEnabled() ? look.muted : strong ? look.accent : look.text);
    painter.drawText(rect(), Qt::AlignCenter, text());
}

void Chip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        updateGeometry();
    QAbstractButton::changeEvent(event);
}

} // namespace attnlab::ui
