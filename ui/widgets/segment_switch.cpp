#include "ui/widgets/segment_switch.h"

#include "ui/widgets/theme.h"

#include <QPainter>

namespace attnlab::ui {
namespace {

constexpr int segment_side_padding = 12;
constexpr int segment_line_padding = 4;
constexpr double corner = 6.0;

} // namespace

SegmentSwitch::SegmentSwitch(QWidget* parent) : QTabBar(parent) {
    setDrawBase(false);
    setExpanding(false);
    setElideMode(Qt::ElideNone);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
}

QSize SegmentSwitch::tabSizeHint(int index) const {
    const QFontMetrics metrics = fontMetrics();
    return {metrics.horizontalAdvance(tabText(index)) + 2 * segment_side_padding,
            metrics.height() + 2 * segment_line_padding};
}

void SegmentSwitch::paintEvent(QPaintEvent*) {
    if (count() == 0)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& look = theme();
    const QRectF all = QRectF(tabRect(0).united(tabRect(count() - 1)) & rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(look.border);
    painter.setBrush(look.card);
    painter.drawRoundedRect(all, corner, corner);
    const QPoint mouse = mapFromGlobal(QCursor::pos());
    for (int i = 0; i < count(); ++i) {
        const QRectF segment = QRectF(tabRect(i)).adjusted(0.5, 0.5, -0.5, -0.5);
        const bool chosen = i == currentIndex();
        if (chosen) {
            painter.setPen(QPen(look.accent, hasFocus() ? 2.0 : 1.0));
            painter.setBrush(look.accent_soft);
            painter.drawRoundedRect(segment, corner, corner);
        }
        const bool under_mouse = underMouse() && tabRect(i).contains(mouse);
        painter.setPen(chosen ? look.accent : under_mouse ? look.text : look.muted);
        painter.drawText(segment, Qt::AlignCenter, tabText(i));
    }
}

} // namespace attnlab::ui
