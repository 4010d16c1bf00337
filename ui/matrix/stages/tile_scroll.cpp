#include "ui/matrix/stages/tile_scroll.h"

#include <QScrollBar>

namespace attnlab::ui {
namespace {

class ThinBar : public QScrollBar {
public:
    using QScrollBar::QScrollBar;
    QSize sizeHint() const override {
        const QSize usual = QScrollBar::sizeHint();
        return orientation() == Qt::Vertical ? QSize(TileScroll::bar_width, usual.height())
                                             : QSize(usual.width(), TileScroll::bar_width);
    }
};

} // namespace

TileScroll::TileScroll(QWidget* parent) : QScrollArea(parent) {
    setVerticalScrollBar(new ThinBar(Qt::Vertical, this));
    setHorizontalScrollBar(new ThinBar(Qt::Horizontal, this));
    setWidget(new QWidget);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    viewport()->setAutoFillBackground(false);
    content()->setAutoFillBackground(false);
}

void TileScroll::reveal(const QWidget& tile, int margin) {
    const QRect place = tile.geometry();
    const auto into = [margin](QScrollBar& bar, int first, int last, int room) {
        if (first - margin < bar.value() || last - first + 2 * margin > room)
            bar.setValue(first - margin);
        else if (last + margin > bar.value() + room)
            bar.setValue(last + margin - room);
    };
    into(*verticalScrollBar(), place.top(), place.bottom(), viewport()->height());
    into(*horizontalScrollBar(), place.left(), place.right(), viewport()->width());
}

QRect TileScroll::sight() const {
    // Not the viewport's size, which is out of date until the next layout.
    return {QPoint(horizontalScrollBar()->value(), verticalScrollBar()->value()), size()};
}

} // namespace attnlab::ui
