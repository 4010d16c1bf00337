#include "ui/widgets/scroll_room.h"

#include <QEvent>
#include <QLayout>
#include <QScrollBar>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int fewest_lines = 3;

int heightIn(const QWidget& content, int width, int least) {
    return content.hasHeightForWidth() ? std::max(least, content.heightForWidth(width)) : least;
}

/// For a page: its parts share the available height, down to their minimum sizes.
int leastHeightIn(const QWidget& content, int width, int least) {
    const QLayout* layout = content.layout();
    return layout && layout->hasHeightForWidth() ? std::max(least, layout->totalMinimumHeightForWidth(width))
                                                 : heightIn(content, width, least);
}

} // namespace

ScrollRoom::ScrollRoom(QWidget* content, Scrolls scrolls, QWidget* parent) : QScrollArea(parent), scrolls_(scrolls) {
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(scrolls == Scrolls::Down ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setWidget(content);
    viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
}

int ScrollRoom::heightForWidth(int width) const {
    if (!widget())
        return -1;
    const int height = widget()->hasHeightForWidth()
                           ? widget()->heightForWidth(width - verticalScrollBar()->sizeHint().width())
                           : widget()->sizeHint().height();
    return height + 2 * frameWidth();
}

QSize ScrollRoom::minimumSizeHint() const {
    const int line = fontMetrics().height();
    const int width = scrolls_ == Scrolls::Down && widget()
                          ? widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width()
                          : fewest_lines * line;
    return {width, fewest_lines * line};
}

QSize ScrollRoom::roomWith(bool bar_below, bool bar_beside) const {
    const QMargins margins = viewportMargins();
    const int frame = 2 * frameWidth();
    return size() - QSize(frame + margins.left() + margins.right(), frame + margins.top() + margins.bottom()) -
           QSize(bar_beside ? verticalScrollBar()->sizeHint().width() : 0,
                 bar_below ? horizontalScrollBar()->sizeHint().height() : 0);
}

void ScrollRoom::fit() {
    QWidget* content = widget();
    if (!content)
        return;
    const QSize least = content->minimumSizeHint().expandedTo(content->minimumSize());
    bool below = false, beside = scrolls_ == Scrolls::Down;
    // A bar along one side may take the room that makes the other one necessary.
    for (int side = 0; side < 2 && scrolls_ == Scrolls::Both; ++side) {
        const QSize room = roomWith(below, beside);
        below = below || least.width() > room.width();
        beside =
            beside || leastHeightIn(*content, std::max(room.width(), least.width()), least.height()) > room.height();
    }
    const QSize room = roomWith(below, beside);
    const int width = scrolls_ == Scrolls::Both ? std::max(room.width(), least.width()) : room.width();
    setVerticalScrollBarPolicy(beside ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(below ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    const int height = scrolls_ == Scrolls::Both ? leastHeightIn(*content, width, least.height())
                                                 : heightIn(*content, width, least.height());
    content->resize(width, std::max(room.height(), height));
}

void ScrollRoom::resizeEvent(QResizeEvent* event) {
    fit();
    QScrollArea::resizeEvent(event);
}

bool ScrollRoom::event(QEvent* event) {
    const bool done = QScrollArea::event(event);
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::StyleChange) {
        fit();
        // QScrollArea would not tell that its content needs more width, or less.
        if (const int least = minimumSizeHint().width(); scrolls_ == Scrolls::Down && least != least_width_) {
            least_width_ = least;
            updateGeometry();
        }
    }
    return done;
}

} // namespace attnlab::ui
