#include "ui/widgets/link_button.h"

#include "ui/widgets/control.h"
#include "ui/widgets/theme.h"

#include <QPainter>

namespace attnlab::ui {
namespace {

constexpr int link_margin = 3; ///< at the sides, for the focus ring

} // namespace

LinkButton::LinkButton(QWidget* parent) : QAbstractButton(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize LinkButton::sizeHint() const {
    return fontMetrics().size(Qt::TextSingleLine, text()) + QSize(2 * link_margin, 0);
}

void LinkButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QFont underlined = font();
    underlined.setUnderline(true);
    painter.setFont(underlined);
    painter.setPen(isEnabled() ? theme().accent : theme().muted);
    painter.drawText(rect(), Qt::AlignCenter, text());
    if (hasFocus())
        paintFocusRing(painter, rect());
}

} // namespace attnlab::ui
