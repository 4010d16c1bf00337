#include "ui/widgets/chip.h"

#include "ui/widgets/control.h"

#include <QPainter>

namespace attnlab::ui {
namespace {

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
    // As high as other controls in its row, whose font is larger.
    QFont usual = font();
    if (usual.pointSizeF() > 0.0)
        usual.setPointSizeF(usual.pointSizeF() / font_share);
    return {fontMetrics().horizontalAdvance(text()) + 2 * metrics::field_padding, controlHeight(usual)};
}

void Chip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ControlLook look{.enabled = isEnabled(),
                           .hovered = underMouse(),
                           .pressed = isDown(),
                           .chosen = isChecked(),
                           .focused = hasFocus()};
    paintControl(painter, rect(), look);
    painter.setPen(look.text());
    painter.drawText(rect(), Qt::AlignCenter, text());
}

} // namespace attnlab::ui
