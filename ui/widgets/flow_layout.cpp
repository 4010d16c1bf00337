#include "ui/widgets/flow_layout.h"

#include <QStyle>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace attnlab::ui {

FlowLayout::FlowLayout(QWidget* parent, int horizontal_gap, int vertical_gap)
    : QLayout(parent), horizontal_gap_(horizontal_gap), vertical_gap_(vertical_gap) {
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() = default;

void FlowLayout::setFilling(const QWidget* widget) {
    filling_ = widget;
    invalidate();
}

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

QSize FlowLayout::sizeIn(int width, QLayoutItem& item) const {
    const QSize wish = isFilling(item) ? item.minimumSize() : item.sizeHint();
    return wish.boundedTo(QSize(std::max(width, item.minimumSize().width()), QWIDGETSIZE_MAX));
}

int FlowLayout::arrange(const QRect& area, bool place) const {
    const QMargins margins = contentsMargins();
    const QRect inside = area.marginsRemoved(margins);
    const bool mirrored = parentWidget() && parentWidget()->isRightToLeft();
    std::vector<std::pair<QLayoutItem*, QSize>> line;
    int used = 0;
    int y = inside.y();
    const auto finish = [&] {
        int height = 0;
        for (auto& [item, size] : line) {
            if (isFilling(*item))
                size.rwidth() += std::max(0, inside.width() - used);
            size.setHeight(item->hasHeightForWidth() ? item->heightForWidth(size.width()) : item->sizeHint().height());
            height = std::max(height, size.height());
        }
        int x = inside.x();
        for (const auto& [item, size] : line) {
            const QRect spot(QPoint(x, y), QSize(size.width(), item->alignment() ? height : size.height()));
            if (place)
                item->setGeometry(mirrored ? QStyle::visualRect(Qt::RightToLeft, inside, spot) : spot);
            x += size.width() + horizontal_gap_;
        }
        y += height;
        line.clear();
    };
    for (const auto& item : items_) {
        if (item->isEmpty())
            continue;
        const QSize size = sizeIn(inside.width(), *item);
        if (!line.empty() && used + horizontal_gap_ + size.width() > inside.width()) {
            finish();
            y += vertical_gap_;
        }
        used = line.empty() ? size.width() : used + horizontal_gap_ + size.width();
        line.emplace_back(item.get(), size);
    }
    finish();
    return y - area.y() + margins.bottom();
}

} // namespace attnlab::ui
