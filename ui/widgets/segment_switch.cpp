#include "ui/widgets/segment_switch.h"

#include "ui/widgets/control.h"
#include "ui/widgets/theme.h"

#include <QPainter>

namespace attnlab::ui {

SegmentSwitch::SegmentSwitch(QWidget* parent) : QTabBar(parent) {
    setDrawBase(false);
    setExpanding(false);
    setElideMode(Qt::ElideNone);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
}

void SegmentSwitch::showTab(int index, bool shown) {
    if (isTabVisible(index) == shown)
        return;
    setTabVisible(index, shown);
    setTabText(index, tabText(index)); // places all tabs
    updateGeometry();
}

QSize SegmentSwitch::tabSizeHint(int index) const {
    return {fontMetrics().horizontalAdvance(tabText(index)) + 2 * metrics::side_padding, controlHeight(font())};
}

void SegmentSwitch::paintEvent(QPaintEvent*) {
    if (count() == 0)
        return;
    QPainter painter(this);
    QRect all;
    for (int i = 0; i < count(); ++i)
        all |= isTabVisible(i) ? tabRect(i) : QRect();
    paintControl(painter, all & rect(), {.enabled = isEnabled()});
    const QPoint mouse = mapFromGlobal(QCursor::pos());
    for (int i = 0; i < count(); ++i) {
        if (!isTabVisible(i))
            continue;
        const ControlLook look{.enabled = isTabEnabled(i),
                               .hovered = underMouse() && tabRect(i).contains(mouse),
                               .chosen = i == currentIndex(),
                               .focused = hasFocus() && i == currentIndex()};
        if (look.chosen)
            paintControl(painter, tabRect(i), look);
        painter.setPen(look.chosen || look.hovered ? look.text() : theme().muted);
        painter.drawText(tabRect(i), Qt::AlignCenter, tabText(i));
    }
}

} // namespace attnlab::ui
