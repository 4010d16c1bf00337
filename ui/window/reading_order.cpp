#include "ui/window/reading_order.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QStatusBar>
#include <QToolBar>

#include <algorithm>
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

} // namespace attnlab::ui
