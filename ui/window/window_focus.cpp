#include "ui/window/window_focus.h"

#include "ui/widgets/keyboard.h"

#include <algorithm>
#include <QApplication>
#include <QDockWidget>
#include <QEvent>
#include <QFocusEvent>
#include <QLayout>
#include <QMainWindow>
#include <QStatusBar>
#include <QStyle>
#include <QToolBar>
#include <tuple>
#include <vector>

namespace attnlab::ui {
namespace {

enum class Area { Top, Left, Centre, Bottom, Right, Status };

Area areaOf(Qt::DockWidgetArea area) {
    return area == Qt::LeftDockWidgetArea    ? Area::Left
           : area == Qt::RightDockWidgetArea ? Area::Right
           : area == Qt::TopDockWidgetArea   ? Area::Top
                                             : Area::Bottom;
}

Area areaOf(Qt::ToolBarArea area) {
    return area == Qt::LeftToolBarArea    ? Area::Left
           : area == Qt::RightToolBarArea ? Area::Right
           : area == Qt::TopToolBarArea   ? Area::Top
                                          : Area::Bottom;
}

/// Its panel, tool bar or other child of the window.
const QWidget* partAround(const QMainWindow& window, const QWidget* widget) {
    while (widget->parentWidget() && widget->parentWidget() != &window)
        widget = widget->parentWidget();
    return widget;
}

struct Place {
    QWidget* widget;
    Area area;
    QPoint part; ///< the corner of its panel

    bool operator<(const Place& other) const {
        return std::tuple(area, part.y(), part.x()) < std::tuple(other.area, other.part.y(), other.part.x());
    }
};

Place placeOf(const QMainWindow& window, QWidget* widget) {
    const auto* part = partAround(window, widget);
    const QPoint corner = part == window.centralWidget() ? QPoint() : part->pos();
    // Those of QMainWindow take pointers that are not const.
    if (auto* dock = qobject_cast<QDockWidget*>(const_cast<QWidget*>(part)))
        return {widget, areaOf(window.dockWidgetArea(dock)), corner};
    if (const auto* bar = qobject_cast<const QToolBar*>(part))
        return {widget, areaOf(window.toolBarArea(bar)), corner};
    return {widget, qobject_cast<const QStatusBar*>(part) ? Area::Status : Area::Centre, corner};
}

bool isStop(const QMainWindow& window, const QWidget& widget) {
    return (widget.focusPolicy() & Qt::TabFocus) == Qt::TabFocus && !widget.focusProxy() && widget.isVisible() &&
           widget.isEnabled() && widget.window() == &window;
}

/// All stops, and `with` among them.
QList<QWidget*> ordered(const QMainWindow& window, const QWidget* with) {
    std::vector<Place> places;
    for (auto* widget = window.nextInFocusChain(); widget && widget != &window; widget = widget->nextInFocusChain())
        if (widget == with || isStop(window, *widget))
            places.push_back(placeOf(window, widget));
    std::ranges::stable_sort(places, std::less());
    QList<QWidget*> widgets;
    for (const auto& place : places)
        widgets << place.widget;
    return widgets;
}

} // namespace

QList<QWidget*> tabStops(const QMainWindow& window) { return ordered(window, nullptr); }

QWidget* tabStopFrom(const QMainWindow& window, const QWidget* from, bool next) {
    const auto all = ordered(window, from);
    if (all.isEmpty())
        return nullptr;
    const auto at = std::ranges::find(all, from) - all.begin();
    const auto last = all.size() - 1;
    if (at > last)
        return next ? all.first() : all.last();
    return next ? (at == last ? all.first() : all[at + 1]) : (at == 0 ? all.last() : all[at - 1]);
}

namespace {

/// In its place, and not behind another panel there.
bool isInSight(const QDockWidget& dock) {
    return dock.isVisible() && !dock.isFloating() && !dock.visibleRegion().isEmpty();
}

bool isAtSide(Qt::DockWidgetArea area) { return area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea; }

} // namespace

PanelDividers::PanelDividers(QMainWindow& window) : QObject(&window), window_(window) {}

/// One for each panel towards the centre, and one towards the next panel of the same side.
std::vector<PanelDividers::Edge> PanelDividers::edges() const {
    std::vector<Edge> found;
    QList<QDockWidget*> docks;
    for (auto* dock : window_.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (isInSight(*dock))
            docks << dock;
    for (auto* dock : docks) {
        const bool at_side = isAtSide(window_.dockWidgetArea(dock));
        const auto is_neighbour = [&](QDockWidget* other) {
            return other != dock && window_.dockWidgetArea(other) == window_.dockWidgetArea(dock);
        };
        const bool shares = std::ranges::any_of(docks, [&](QDockWidget* other) {
            return is_neighbour(other) && (at_side ? other->x() == dock->x() && other->y() < dock->y()
                                                   : other->y() == dock->y() && other->x() < dock->x());
        });
        const bool has_next = std::ranges::any_of(docks, [&](QDockWidget* other) {
            return is_neighbour(other) &&
                   (at_side ? other->y() > dock->geometry().bottom() : other->x() > dock->geometry().right());
        });
        const auto inwards = at_side ? Qt::Horizontal : Qt::Vertical;
        if (!shares) // with one above it, whose divider is the same
            found.push_back({dock, inwards});
        if (has_next)
            found.push_back({dock, inwards == Qt::Horizontal ? Qt::Vertical : Qt::Horizontal});
    }
    return found;
}

bool PanelDividers::focusNext() {
    QWidget* now = QApplication::focusWidget();
    QList<QSplitterHandle*> handles;
    for (auto* handle : window_.findChildren<QSplitterHandle*>())
        if (handle->isVisible())
            handles << handle;
    const auto panels = edges();
    const auto panel_count = static_cast<qsizetype>(panels.size()), count = panel_count + handles.size();
    if (count == 0)
        return false;
    qsizetype at = handles.indexOf(now);
    if (at >= 0)
        at += panel_count;
    else if (shown_ && now == shown_) {
        const auto same = [this](const Edge& edge) {
            return edge.dock == &shown_->dock() && edge.moves == shown_->moves();
        };
        at = std::ranges::find_if(panels, same) - panels.begin();
    } else
        before_ = now;
    at = (at + 1) % count;
    QWidget* next = at < panel_count ? nullptr : handles[at - panel_count];
    if (!next) {
        const auto& edge = panels[static_cast<std::size_t>(at)];
        next = shown_ = new PanelDivider(window_, *edge.dock, edge.moves);
    }
    connect(DividerShortcuts::of(*next), &DividerShortcuts::left, this, &PanelDividers::giveBack, Qt::UniqueConnection);
    next->setFocus(Qt::ShortcutFocusReason);
    return true;
}

void PanelDividers::giveBack() {
    if (before_)
        before_->setFocus(Qt::OtherFocusReason);
    before_ = nullptr;
}

PanelDivider::PanelDivider(QMainWindow& window, QDockWidget& dock, Qt::Orientation moves)
    : QWidget(&window), window_(window), dock_(dock), moves_(moves) {
    setFocusPolicy(Qt::StrongFocus);
    // Before setAccessibleName(), which creates the accessible interface: that depends on whether there are keys.
    new DividerShortcuts(*this, {moves, [this] { return place(); }, [this](int to) { moveTo(to); },
                                 [this] { return moves_ == Qt::Horizontal ? window_.width() : window_.height(); }});
    const QString panel = dock.windowTitle();
    setAccessibleName(moves == Qt::Horizontal ? tr("Width of the panel %1").arg(panel)
                                              : tr("Height of the panel %1").arg(panel));
    dock.installEventFilter(this);
    window.installEventFilter(this);
    connect(&dock, &QObject::destroyed, this, &PanelDivider::remove);
    settle();
    show();
    raise();
}

bool PanelDivider::isBefore() const {
    const auto area = window_.dockWidgetArea(&dock_);
    return (moves_ == Qt::Horizontal && area == Qt::RightDockWidgetArea) ||
           (moves_ == Qt::Vertical && area == Qt::BottomDockWidgetArea);
}

/// The panel after this one at the same side, where the divider is between the two.
QDockWidget* PanelDivider::neighbour() const {
    const auto area = window_.dockWidgetArea(&dock_);
    const bool across = moves_ == Qt::Horizontal;
    if (across == isAtSide(area))
        return nullptr;
    QDockWidget* nearest = nullptr;
    const auto start = [across](const QDockWidget& dock) { return across ? dock.x() : dock.y(); };
    for (auto* other : window_.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (isInSight(*other) && window_.dockWidgetArea(other) == area && start(*other) > start(dock_) &&
            (!nearest || start(*other) < start(*nearest)))
            nearest = other;
    return nearest;
}

int PanelDivider::place() const {
    const QRect panel = dock_.geometry();
    if (moves_ == Qt::Horizontal)
        return isBefore() ? panel.left() : panel.right() + 1;
    return isBefore() ? panel.top() : panel.bottom() + 1;
}

void PanelDivider::moveTo(int place) {
    const QRect panel = dock_.geometry();
    const bool across = moves_ == Qt::Horizontal;
    const int size = isBefore() ? (across ? panel.right() : panel.bottom()) + 1 - place
                                : place - (across ? panel.left() : panel.top());
    QList<QDockWidget*> docks{&dock_};
    QList<int> sizes{std::max(1, size)};
    if (QDockWidget* next = neighbour()) { // which takes all of the difference
        const int all = across ? panel.width() + next->width() : panel.height() + next->height();
        docks << next;
        sizes << std::max(1, all - sizes.front());
    }
    window_.resizeDocks(docks, sizes, moves_);
    window_.layout()->activate(); // the next key starts from the new place
    settle();
}

void PanelDivider::settle() {
    const int thickness = std::max(5, window_.style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent));
    const QRect panel = dock_.geometry();
    const int start = isBefore() ? place() - thickness : place();
    setGeometry(moves_ == Qt::Horizontal ? QRect(start, panel.top(), thickness, panel.height())
                                         : QRect(panel.left(), start, panel.width(), thickness));
}

bool PanelDivider::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move)
        settle();
    else if (watched == &dock_ && event->type() == QEvent::Hide)
        remove();
    return QWidget::eventFilter(watched, event);
}

void PanelDivider::paintEvent(QPaintEvent*) { paintDivider(*this, moves_); }

void PanelDivider::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    if (event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::PopupFocusReason)
        remove();
}

void PanelDivider::remove() {
    window_.removeEventFilter(this); // the panel may have gone
    hide();
    deleteLater();
}

} // namespace attnlab::ui
