#include "ui/widgets/layouts.h"

#include <algorithm>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QLayout>
#include <QScrollBar>
#include <QStyle>
#include <QTabBar>
#include <QWidget>
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

FittingScrollArea::FittingScrollArea(QWidget* content, Scrolls scrolls, QWidget* parent)
    : QScrollArea(parent), scrolls_(scrolls) {
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(scrolls == Scrolls::Down ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setWidget(content);
    viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
}

int FittingScrollArea::heightForWidth(int width) const {
    if (!widget())
        return -1;
    const int height = widget()->hasHeightForWidth()
                           ? widget()->heightForWidth(width - verticalScrollBar()->sizeHint().width())
                           : widget()->sizeHint().height();
    return height + 2 * frameWidth();
}

QSize FittingScrollArea::minimumSizeHint() const {
    const int line = fontMetrics().height();
    const int width = scrolls_ == Scrolls::Down && widget()
                          ? widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width()
                          : fewest_lines * line;
    return {width, fewest_lines * line};
}

QSize FittingScrollArea::roomWith(bool bar_below, bool bar_beside) const {
    const QMargins margins = viewportMargins();
    const int frame = 2 * frameWidth();
    return size() - QSize(frame + margins.left() + margins.right(), frame + margins.top() + margins.bottom()) -
           QSize(bar_beside ? verticalScrollBar()->sizeHint().width() : 0,
                 bar_below ? horizontalScrollBar()->sizeHint().height() : 0);
}

void FittingScrollArea::fit() {
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
    // Downwards, the minimum height is no bound: wrapped labels report that of their narrowest width.
    const int height =
        scrolls_ == Scrolls::Both
            ? leastHeightIn(*content, width, least.height())
            : heightIn(*content, width, content->hasHeightForWidth() ? content->minimumHeight() : least.height());
    content->resize(width, std::max(room.height(), height));
}

void FittingScrollArea::resizeEvent(QResizeEvent* event) {
    fit();
    QScrollArea::resizeEvent(event);
}

bool FittingScrollArea::event(QEvent* event) {
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

namespace {

bool changesByWheel(const QObject* receiver) {
    return qobject_cast<const QAbstractSpinBox*>(receiver) || qobject_cast<const QComboBox*>(receiver) ||
           qobject_cast<const QTabBar*>(receiver) ||
           (qobject_cast<const QAbstractSlider*>(receiver) && !qobject_cast<const QScrollBar*>(receiver));
}

} // namespace

void WheelGuard::install() {
    static constexpr char marker[] = "attnlab_wheel_guard";
    if (qApp->property(marker).toBool())
        return;
    qApp->setProperty(marker, true);
    qApp->installEventFilter(new WheelGuard(qApp));
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Wheel || !changesByWheel(watched))
        return false;
    const auto* widget = static_cast<const QWidget*>(watched);
    const auto* focus = QApplication::focusWidget();
    if (focus && (focus == widget || widget->isAncestorOf(focus)))
        return false;
    event->ignore(); // QApplication passes it on to the parent
    return true;
}

void alignFields(std::span<QFormLayout* const> forms) {
    std::vector<QWidget*> labels;
    for (const auto* form : forms)
        for (int row = 0; row < form->rowCount(); ++row)
            if (const auto* item = form->itemAt(row, QFormLayout::LabelRole); item && item->widget())
                labels.push_back(item->widget());
    int widest = 0;
    for (const auto* label : labels)
        widest = std::max(widest, label->sizeHint().width());
    for (auto* label : labels)
        label->setMinimumWidth(widest);
}

void removeSafely(QWidget* widget) {
    if (!widget)
        return;
    widget->blockSignals(true);
    for (auto* child : widget->findChildren<QObject*>())
        child->blockSignals(true);
    widget->hide();
    widget->setParent(nullptr); // also out of its layout
    widget->deleteLater();
}

} // namespace attnlab::ui
