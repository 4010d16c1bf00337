#include "ui/window/window_state.h"

#include "ui/document/array_remarks.h"
#include "ui/document/view_state.h"
#include "ui/learn/learn_page.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/matrix/stages/heads_view.h"
#include "ui/pages/exhibits/exhibit_page.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/inspector/inspector_cards.h"
#include "ui/panels/mask/mask_panel.h"
#include "ui/window/actions.h"
#include "ui/window/learn_mode.h"
#include "ui/window/main_window.h"
#include "ui/window/model_mode.h"
#include "ui/window/results.h"
#include "ui/window/work_area.h"

#include <algorithm>
#include <functional>
#include <QAbstractSlider>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolBar>
#include <type_traits>
#include <utility>

namespace attnlab::ui {
namespace {

/// All widgets of a kind.
template <class Widget>
QList<Widget*> widgetsOf(const MainWindow& window) {
    auto found = window.centralWidget()->findChildren<Widget*>();
    for (const auto* dock : window.findChildren<QDockWidget*>())
        found << dock->findChildren<Widget*>();
    for (const auto* bar : window.findChildren<QToolBar*>())
        found << bar->findChildren<Widget*>();
    return found;
}

/// A step from a parent to its child: class and name, and the number among those with the same ones. If there are more
/// or fewer of them in another window, its widget is another.
QString stepTo(const QWidget& widget) {
    int all = 0, number = 0;
    for (const QObject* sibling : widget.parentWidget()->children()) {
        if (sibling->metaObject() != widget.metaObject() || sibling->objectName() != widget.objectName())
            continue;
        ++all;
        if (sibling == &widget)
            number = all;
    }
    return QStringLiteral("/%1#%2 %3 of %4")
        .arg(QLatin1String(widget.metaObject()->className()), widget.objectName())
        .arg(number)
        .arg(all);
}

/// The same for the same widget in windows whose pages were made in another order, or not at all.
QString placeOf(const QWidget* widget) {
    QString place;
    for (; widget && widget->parentWidget(); widget = widget->parentWidget())
        place.prepend(stepTo(*widget));
    return place;
}

/// Scroll bars, and sliders outside of lessons, whose scenes keep the values of theirs.
QList<QAbstractSlider*> slidersOf(const MainWindow& window) {
    auto found = widgetsOf<QAbstractSlider>(window);
    const auto* lessons = window.learnMode()->page();
    found.removeIf([lessons](const QAbstractSlider* slider) {
        return !qobject_cast<const QScrollBar*>(slider) && lessons && lessons->isAncestorOf(slider);
    });
    return found;
}

/// Of the parts of the window whose controls only choose what is displayed.
template <class Control>
QList<Control*> displayControls(const MainWindow& window) {
    QList<const QWidget*> parts{window.heads(), window.findChild<RowCard*>(), window.modelMode()->page()};
    for (const auto* page : window.centre()->findChildren<ExhibitPage*>())
        parts << page;
    QList<Control*> found;
    for (const auto* part : parts)
        found << part->findChildren<Control*>();
    return found;
}

template <class Widget, class Value>
auto valuesOf(const QList<Widget*>& widgets, Value value) {
    QHash<QString, std::decay_t<std::invoke_result_t<Value, Widget*>>> values;
    for (auto* widget : widgets)
        values.insert(placeOf(widget), std::invoke(value, widget));
    return values;
}

/// Calls set(widget, value) for the widgets that had a value, where it differs.
template <class Widget, class Values, class Value, class Set>
void restoreValues(const QList<Widget*>& widgets, const Values& values, Value value, Set set) {
    for (auto* widget : widgets)
        if (const auto kept = values.find(placeOf(widget)); kept != values.end() && std::invoke(value, widget) != *kept)
            std::invoke(set, widget, *kept);
}

} // namespace

WindowState::WindowState(MainWindow& window)
    : layout_(window.modelMode()->isOn() ? window.modelMode()->usualLayout() : window.learnMode()->usualLayout()),
      hidden_(window.panelDocks()->hidden()), shows_model_(window.modelMode()->isOn()),
      at_map_(window.findChild<Places*>()->isAtMap()), page_(window.viewState().page()),
      full_screen_(window.actions().full_screen->isChecked()), painting_(window.actions().paint->isChecked()),
      fill_form_(window.masks()->showsMore()), all_remarks_(window.findChild<RemarksBar*>()->showsAll()),
      inputs_(window.inputs()->saveState()), compare_with_file_(window.centre()->compareWithFilePage()->saveState()),
      model_(window.modelMode()->page()->saveState()),
      choices_(valuesOf(displayControls<QComboBox>(window), &QComboBox::currentIndex)),
      sliders_(valuesOf(slidersOf(window), &QAbstractSlider::value)),
      tabs_(valuesOf(displayControls<QTabBar>(window), &QTabBar::currentIndex)),
      checks_(valuesOf(displayControls<QCheckBox>(window), &QCheckBox::isChecked)),
      zooms_(valuesOf(widgetsOf<HeatmapView>(window), &HeatmapView::position)), focus_(placeOf(window.focusWidget())),
      learn_(window.learnMode()->takeState()) {}

void WindowState::restore(MainWindow& window) {
    window.restoreState(layout_);
    window.panelDocks()->setHidden(hidden_);
    window.actions().full_screen->setChecked(full_screen_);
    window.inputs()->restoreState(inputs_);
    window.findChild<RemarksBar*>()->showAll(all_remarks_);
    window.masks()->showMore(fill_form_);
    window.actions().paint->setChecked(painting_);
    restoreValues(displayControls<QComboBox>(window), choices_, &QComboBox::currentIndex, [](auto* box, int index) {
        box->setCurrentIndex(index);
        emit box->activated(index);
    });
    restoreValues(displayControls<QTabBar>(window), tabs_, &QTabBar::currentIndex, &QTabBar::setCurrentIndex);
    restoreValues(displayControls<QCheckBox>(window), checks_, &QCheckBox::isChecked, &QCheckBox::setChecked);
    window.centre()->compareWithFilePage()->restoreState(compare_with_file_);
    window.viewState().setPage(page_);
    window.findChild<Places*>()->setAtMap(at_map_);
    window.learnMode()->restoreState(std::move(learn_));
    window.learnMode()->setUsualLayout(layout_);
    window.modelMode()->restoreState(shows_model_);
    window.modelMode()->page()->restoreState(model_);
    window.modelMode()->setUsualLayout(layout_);
}

void WindowState::restoreViews(MainWindow& window) const {
    restoreValues(slidersOf(window), sliders_, &QAbstractSlider::value, &QAbstractSlider::setValue);
    restoreValues(widgetsOf<HeatmapView>(window), zooms_, &HeatmapView::position, &HeatmapView::setPosition);
    const auto widgets = widgetsOf<QWidget>(window);
    const auto focused = std::ranges::find_if(widgets, [this](const QWidget* widget) {
        return focus_.endsWith(stepTo(*widget)) && placeOf(widget) == focus_;
    });
    if (!focus_.isEmpty() && focused != widgets.end())
        (*focused)->setFocus();
}

Places::Places(MainWindow& window, const QStackedWidget& modes) : QObject(&window), window_(window), modes_(modes) {
    const Actions& actions = window.actions();
    connect(actions.go_workspace, &QAction::triggered, this, [this] { goToWorkspace(false); });
    connect(actions.go_map, &QAction::triggered, this, [this] { goToWorkspace(true); });
    connect(actions.go_model, &QAction::triggered, this, [this] {
        window_.modelMode()->show();
        follow(); // a model that opens is shown later
    });
    connect(actions.go_lessons, &QAction::triggered, this, [this] {
        window_.learnMode()->show();
        follow();
    });
    connect(&modes_, &QStackedWidget::currentChanged, this, &Places::follow);
    connect(window.largeInputs(), &LargeInputs::opened, this, &Places::follow);
    connect(window.largeInputs(), &LargeInputs::closed, this, &Places::follow);
    connect(&window.results(), &Results::cancelledChanged, this, &Places::follow);
    follow();
}

void Places::setAtMap(bool at_map) {
    at_map_ = at_map;
    follow();
}

void Places::goToWorkspace(bool map) {
    window_.learnMode()->leave();
    window_.modelMode()->leave();
    if (map)
        window_.centre()->showMatrix();
    if (is_large_ && map != at_map_) {
        HeatmapView& heatmap = *window_.matrixPage()->heatmap();
        (at_map_ ? map_seen_ : cells_seen_) = heatmap.position();
        at_map_ = map;
        const QPoint middle = heatmap.position().centre.toPoint();
        const Cell about = heatmap.pinned().value_or(Cell{middle.y(), middle.x()});
        constexpr int cells = 12;
        if (const auto& seen = map ? map_seen_ : cells_seen_)
            heatmap.setPosition(*seen);
        else if (map)
            heatmap.zoomToFit();
        else
            heatmap.showCells(QRectF(about.column - cells / 2, about.row - cells / 2, cells, cells));
    }
    follow();
}

void Places::follow() {
    const Actions& actions = window_.actions();
    const bool is_map = window_.largeInputs()->isOpen();
    if (std::exchange(is_large_, is_map) != is_map) {
        at_map_ = true;
        map_seen_.reset();
        cells_seen_.reset();
    }
    actions.go_map->setVisible(is_map);
    QAction* place = window_.learnMode()->isOn()   ? actions.go_lessons
                     : window_.modelMode()->isOn() ? actions.go_model
                     : is_map && at_map_           ? actions.go_map
                                                   : actions.go_workspace;
    place->setChecked(true);
    const bool is_here = place == actions.go_map || place == actions.go_workspace;
    actions.compute->setVisible(is_here && window_.results().isCancelled());
    window_.actions().hideEmptyMenus();
    // A map has no stages.
    if (is_here)
        for (QAction* of_stages : {actions.compare_file, actions.check_answer, actions.next_stage,
                                   actions.previous_stage, actions.mean_head})
            of_stages->setVisible(!is_map);
}

} // namespace attnlab::ui
