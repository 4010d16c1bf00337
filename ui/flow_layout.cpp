#include "ui/flow_layout.h"

#include <QStyle>
#include <QWidget>

namespace attnlab::ui {

FlowLayout::FlowLayout(QWidget* parent, int horizontal_gap, int vertical_gap)
    : QLayout(parent), horizontal_gap_(horizontal_gap), vertical_gap_(vertical_gap) {
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() = default;

void FlowLayout::addItem(QLayoutItem* item) { items_.emplace_back(item); }

int FlowLayout::count() const { return static_cast<int>(items_.size()); }

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    if (index < 0 || index >= count())
        return nullptr;
    const auto at = items_.begin() + index;
    QLayoutItem* item = at->release();
    items_.erase(at);
    return item;
}

int FlowLayout::heightForWidth(int width) const { return arrange(QRect(0, 0, width, 0), false); }

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const auto& item : items_)
        if (!item->isEmpty())
            size = size.expandedTo(item->minimumSize());
    const QMargins margins = contentsMargins();
    return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

void FlowLayout::setGeometry(const QRect& area) {
    QLayout::setGeometry(area);
    arrange(area, true);
}

int FlowLayout::arrange(const QRect& area, bool place) const {
    const QMargins margins = contentsMargins();
    const QRect inside = area.marginsRemoved(margins);
    const bool mirrored = parentWidget() && parentWidget()->isRightToLeft();
    int x = inside.x();
    int y = inside.y();
    int line_height = 0;
    for (const auto& item : items_) {
        if (item->isEmpty())
            continue;
        const QSize size =
            item->sizeHint().boundedTo(QSize(qMax(inside.width(), item->minimumSize().width()), QWIDGETSIZE_MAX));
        if (x > inside.x() && x + size.width() > inside.x() + inside.width()) {
            x = inside.x();
            y += line_height + vertical_gap_;
            line_height = 0;
        }
        if (place) {
            const QRect spot(QPoint(x, y), size);
            item->setGeometry(mirrored ? QStyle::visualRect(Qt::RightToLeft, inside, spot) : spot);
        }
        x += size.width() + horizontal_gap_;
        line_height = qMax(line_height, size.height());
    }
    return y + line_height - area.y() + margins.bottom();
}

} // namespace attnlab::ui
