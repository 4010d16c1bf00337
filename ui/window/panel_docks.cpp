#include "ui/window/panel_docks.h"

#include "ui/document/settings.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QAction>
#include <QActionGroup>
#include <QChildEvent>
#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QList>
#include <QMenu>
#include <QPainter>
#include <QScreen>
#include <QTabBar>
#include <QVBoxLayout>
#include <utility>

namespace attnlab::ui {

PanelGrip::PanelGrip(QDockWidget& dock) : QWidget(&dock), dock_(dock) {
    setCursor(Qt::SizeAllCursor);
    setToolTip(tr("Drag to move this panel, double click to float it. View > Panels opens and closes it."));
    setAccessibleRole(*this, QAccessible::Grouping);
    setAccessibleName(tr("Place of %1").arg(dock.windowTitle()));
    declareShortcuts(*this, {tr("Floating panel"),
                             {{tr("Arrow keys"), tr("Move the panel; with Shift make it larger or smaller")},
                              {tr("Enter"), tr("Put it back into the window, or close it")}}});
    connect(&dock, &QDockWidget::topLevelChanged, this,
            [this](bool floating) { setFocusPolicy(floating ? Qt::TabFocus : Qt::NoFocus); });
}

QSize PanelGrip::sizeHint() const { return {40, 10}; }

void PanelGrip::paintEvent(QPaintEvent*) {
    // A bar, since dots would mean a splitter.
    constexpr double length = 28.0, thickness = 3.0;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(showsFocus(*this) ? theme().accent : theme().muted);
    QRectF bar(0, 0, length, thickness);
    bar.moveCenter(QRectF(rect()).center());
    painter.drawRoundedRect(bar, thickness / 2, thickness / 2);
}

void PanelGrip::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter)
        return openMenu(mapToGlobal(rect().center()));
    constexpr int step = 16;
    const QPoint by = key == Qt::Key_Left    ? QPoint(-step, 0)
                      : key == Qt::Key_Right ? QPoint(step, 0)
                      : key == Qt::Key_Up    ? QPoint(0, -step)
                      : key == Qt::Key_Down  ? QPoint(0, step)
                                             : QPoint();
    if (by.isNull() || !dock_.isFloating())
        return QWidget::keyPressEvent(event);
    if (event->modifiers() & Qt::ShiftModifier)
        dock_.resize(dock_.size() + QSize(by.x(), by.y()));
    else
        dock_.move(dock_.pos() + by);
}

void PanelGrip::contextMenuEvent(QContextMenuEvent* event) { openMenu(event->globalPos()); }

void PanelGrip::openMenu(const QPoint& at) {
    QMenu menu;
    menu.addAction(dock_.isFloating() ? tr("Put back into the window") : tr("Float"), &dock_,
                   [this] { dock_.setFloating(!dock_.isFloating()); });
    menu.addAction(tr("Close this panel"), &dock_, &QWidget::close);
    menu.exec(at);
}

namespace {

/// Panels arranged on a higher screen would not fit.
bool isLow(const QMainWindow& window) {
    constexpr int lowest_for_all_panels = 700, lines = 36;
    return window.screen()->availableSize().height() <
           std::max(lowest_for_all_panels, lines * window.fontMetrics().height());
}

// Of a window, in pixels and in lines of text, so that large letters count as a small window.
// Inputs are open at first in a window whose middle still has this width beside them.
constexpr int middle_beside_inputs = 1100, lines_beside_inputs = 57;
constexpr int width_of_inputs = 280, widest_inputs = 350, width_of_inspector = 330, width_of_rail = 70;
constexpr int width_for_all = 900, lines_for_all = 62;            ///< a window with room for panels at both sides
constexpr int width_beside_three = 1600, lines_beside_three = 84; ///< with room for three matrices beside a panel
constexpr int lines_of_drawer = 14;                               ///< the width of inputs that open in a narrower one

/// Whether inputs and mask would leave the page too little beside the inspector, in whose place they then open.
bool isNarrow(const QMainWindow& window) {
    const int middle = window.width() - width_of_inputs - width_of_inspector - width_of_rail;
    return middle < std::max(middle_beside_inputs, lines_beside_inputs * window.fontMetrics().height());
}

/// Of inputs and mask at the left: up to widest_inputs where the page still has enough.
int widthOfInputs(const QMainWindow& window) {
    const int spare = window.width() - width_of_inputs - width_of_inspector - width_of_rail -
                      std::max(middle_beside_inputs, lines_beside_inputs * window.fontMetrics().height());
    return std::clamp(width_of_inputs + spare, width_of_inputs, widest_inputs);
}

/// The index of the saved arrangement for such a window. (0 and 1 were those of versions with the heads in a panel.)
int arrangementFor(const QMainWindow& window) { return 2 + (isLow(window) ? 1 : 0) + (isNarrow(window) ? 2 : 0); }

/// A panel with margins in the window's colour. Escape that the panel has no use for closes its dock.
class Padded : public QWidget {
public:
    Padded(QWidget& panel, const QMargins& margins, QDockWidget& dock) : dock_(dock) {
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(margins);
        layout->addWidget(&panel);
    }

protected:
    void keyPressEvent(QKeyEvent* event) override {
        if (event->key() != Qt::Key_Escape)
            return QWidget::keyPressEvent(event);
        dock_.close();
    }

private:
    QDockWidget& dock_;
};

/// Gives the first control of a panel the focus.
void focusFirst(const QDockWidget& dock) {
    for (QWidget* next = dock.widget()->nextInFocusChain(); next != dock.widget(); next = next->nextInFocusChain())
        if (dock.widget()->isAncestorOf(next) && next->isVisible() && next->isEnabled() &&
            (next->focusPolicy() & Qt::TabFocus))
            return next->setFocus(Qt::PopupFocusReason);
}

} // namespace

PanelDocks::PanelDocks(QMainWindow& window) : QObject(&window), window_(window) {
    window.setDockNestingEnabled(true);
    window.installEventFilter(this);
    window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
}

PanelDocks::~PanelDocks() {
    qDeleteAll(places_);
    qDeleteAll(docks_);
}

QDockWidget* PanelDocks::add(const char* id, const char* title, QWidget* content, Qt::DockWidgetArea area,
                             const QMargins& margins) {
    auto* dock = new QDockWidget(QCoreApplication::translate("PanelDocks", title));
    dock->setObjectName(QString::fromLatin1(id));
    dock->setTitleBarWidget(new PanelGrip(*dock));
    dock->setWidget(new Padded(*content, margins, *dock));
    window_.addDockWidget(area, dock);
    QAction* toggle = dock->toggleViewAction();
    connect(toggle, &QAction::triggered, this, [this, dock](bool open) {
        if (dock == docks_.value(Inspector)) // what the user opens or closes is no longer to come back
            is_aside_ = is_covered_ = false;
        if (open)
            this->open(*dock);
    });
    dock->installEventFilter(this);
    docks_ << dock;
    areas_ << area;
    addPlaceMenu(dock);
    return dock;
}

void PanelDocks::addPlaceMenu(QDockWidget* dock) {
    auto* menu = new QMenu(tr("Place of %1").arg(dock->windowTitle()));
    auto* group = new QActionGroup(menu);
    const std::pair<QString, Qt::DockWidgetArea> places[] = {{tr("At the left"), Qt::LeftDockWidgetArea},
                                                             {tr("At the right"), Qt::RightDockWidgetArea},
                                                             {tr("Above"), Qt::TopDockWidgetArea},
                                                             {tr("Below"), Qt::BottomDockWidgetArea},
                                                             {tr("In a window of its own"), Qt::NoDockWidgetArea}};
    for (const auto& [text, area] : places) {
        QAction* action = group->addAction(menu->addAction(text));
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, [this, dock, area = area] { place(*dock, area); });
        connect(menu, &QMenu::aboutToShow, action, [this, dock, action, area = area] {
            action->setChecked(area == (dock->isFloating() ? Qt::NoDockWidgetArea : window_.dockWidgetArea(dock)));
        });
    }
    places_ << menu;
}

QList<QAction*> PanelDocks::placeActions() const {
    QList<QAction*> all;
    for (const QMenu* menu : places_)
        all << menu->menuAction();
    return all;
}

/// Before the user opens a panel, it notes where the focus is; that of a panel that closes goes back there.
bool PanelDocks::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &window_) {
        // Tab bars of panels that share a place, which the window makes.
        QList<QTabBar*> bars;
        if (event->type() == QEvent::ChildPolished)
            bars << qobject_cast<QTabBar*>(static_cast<QChildEvent*>(event)->child());
        else if (event->type() == QEvent::LanguageChange)
            bars = window_.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly);
        for (auto* tabs : bars)
            if (tabs)
                tabs->setAccessibleName(tr("Panels in one place"));
        return QObject::eventFilter(watched, event);
    }
    const auto* dock = static_cast<const QDockWidget*>(watched);
    QWidget* focus = window_.focusWidget();
    const bool is_in_panel =
        focus && std::ranges::any_of(docks_, [focus](const QDockWidget* one) { return one->isAncestorOf(focus); });
    if (event->type() == QEvent::Show && dock != docks_.value(Inspector) && focus && !is_in_panel)
        focus_before_ = focus;
    if (event->type() == QEvent::Close)
        QMetaObject::invokeMethod(
            this,
            [this, had_focus = focus && dock->isAncestorOf(focus)] {
                uncover();
                if (had_focus && focus_before_ && focus_before_->isVisible())
                    focus_before_->setFocus(Qt::PopupFocusReason);
            },
            Qt::QueuedConnection); // when it is closed
    return QObject::eventFilter(watched, event);
}

void PanelDocks::open(QDockWidget& dock) {
    dock.show(); // a hidden panel shares no place
    showAlone(dock);
    focusFirst(dock);
}

/// Of the panels that have one place, one is open.
void PanelDocks::showAlone(QDockWidget& dock) {
    for (QDockWidget* other : window_.tabifiedDockWidgets(&dock)) {
        if (!is_narrow_ || other->isHidden() || other->isFloating())
            continue;
        is_covered_ = is_covered_ || other == docks_[Inspector];
        other->hide();
    }
    dock.show();
    dock.raise();
}

/// Shows the inspector again, if no panel is in its place any more.
void PanelDocks::uncover() {
    QDockWidget* inspector = docks_[Inspector];
    const auto others = window_.tabifiedDockWidgets(inspector);
    const bool is_free =
        std::ranges::all_of(others, [](const QDockWidget* one) { return one->isHidden() || one->isFloating(); });
    if (!is_covered_ || !is_free)
        return;
    is_covered_ = false;
    if (makes_way_)
        is_aside_ = true;
    else
        inspector->show();
}

void PanelDocks::place(QDockWidget& dock, Qt::DockWidgetArea area) {
    if (&dock == docks_.value(Inspector))
        is_aside_ = is_covered_ = false;
    if (area == Qt::NoDockWidgetArea) {
        dock.setFloating(true);
    } else {
        dock.setFloating(false);
        if (window_.dockWidgetArea(&dock) != area)
            window_.addDockWidget(area, &dock);
    }
    showAlone(dock);
    uncover();
}

void PanelDocks::layOut() {
    for (int i = 0; i < docks_.size(); ++i) {
        docks_[i]->setFloating(false);
        window_.addDockWidget(areas_[i], docks_[i]);
    }
    is_narrow_ = isNarrow(window_);
    putInputs();
    window_.resizeDocks({docks_[Inspector]}, {width_of_inspector}, Qt::Horizontal);
    docks_[Inputs]->setVisible(!is_narrow_);
    docks_[Mask]->setVisible(!is_narrow_);
    docks_[Inspector]->show();
    forgetPlaces();
    if (isLow(window_) && !is_narrow_)
        docks_[Inputs]->raise();
}

/// Puts inputs and mask at the left, or in a narrow window into the place of the inspector.
void PanelDocks::putInputs() {
    QDockWidget* inspector = docks_[Inspector];
    const bool has_place = window_.dockWidgetArea(inspector) == areas_[Inspector] && !inspector->isFloating();
    for (const auto panel : {Inputs, Mask}) {
        QDockWidget* dock = docks_[panel];
        const auto area = window_.dockWidgetArea(dock);
        if (dock->isFloating() || (area != areas_[panel] && area != areas_[Inspector])) // where the user put it
            continue;
        if (!is_narrow_)
            window_.addDockWidget(areas_[panel], dock);
        else if (has_place)
            window_.tabifyDockWidget(inspector, dock);
        else
            window_.addDockWidget(areas_[Inspector], dock);
    }
    if (is_narrow_)
        return;
    window_.resizeDocks({docks_[Inputs]}, {widthOfInputs(window_)}, Qt::Horizontal);
    // On a low screen inputs and mask share their place, or the window would exceed the screen.
    if (isLow(window_))
        window_.tabifyDockWidget(docks_[Inputs], docks_[Mask]);
    else
        window_.resizeDocks({docks_[Inputs], docks_[Mask]}, {window_.height() / 2, window_.height() / 2}, Qt::Vertical);
}

/// Open, and neither in the place of the inspector nor in a window of its own.
bool PanelDocks::isBeside(Panel panel) const {
    const QDockWidget* dock = docks_[panel];
    return !dock->isHidden() && !dock->isFloating() &&
           !window_.tabifiedDockWidgets(docks_[Inspector]).contains(docks_[panel]);
}

void PanelDocks::openInputs() {
    is_narrow_ = isNarrow(window_);
    putInputs();
    if (!is_narrow_)
        docks_[Mask]->show();
    showAlone(*docks_[Inputs]);
}

bool PanelDocks::showsInputs() const { return !docks_[Inputs]->isHidden(); }

bool PanelDocks::standsAt(Qt::DockWidgetArea area) const {
    return std::ranges::any_of(docks_, [&](QDockWidget* dock) {
        return !dock->isHidden() && !dock->isFloating() && window_.dockWidgetArea(dock) == area;
    });
}

QList<QAction*> PanelDocks::actions() const {
    QList<QAction*> all;
    for (const QDockWidget* dock : docks_)
        all << dock->toggleViewAction();
    return all;
}

void PanelDocks::restore() {
    if (window_.restoreState(settings::windowState(), arrangementFor(window_)))
        forgetPlaces();
}

void PanelDocks::setHidden(const Hidden& hidden) {
    makes_way_ = is_aside_ = hidden.is_aside;
    is_covered_ = hidden.is_covered;
    is_narrow_ = isNarrow(window_);
}

QByteArray PanelDocks::saved() const {
    const bool is_away = is_aside_ || is_covered_; // it is open for the user
    if (is_away)
        docks_[Inspector]->show();
    QByteArray state = window_.saveState(arrangementFor(window_));
    if (is_away)
        docks_[Inspector]->hide();
    return state;
}

void PanelDocks::forgetPlaces() {
    makes_way_ = is_aside_ = is_covered_ = false;
    is_narrow_ = isNarrow(window_);
    coverInspector();
    fit();
}

/// Where a panel is open in the place of the inspector, that is hidden.
void PanelDocks::coverInspector() {
    for (const auto panel : {Inputs, Mask})
        if (!docks_[panel]->isHidden() && !docks_[panel]->isFloating() && !isBeside(panel))
            return showAlone(*docks_[panel]);
}

void PanelDocks::setPageWidth(PageWidth width) {
    page_width_ = width;
    fit();
}

void PanelDocks::fit() {
    const int line = window_.fontMetrics().height(), drawer = lines_of_drawer * line;
    if (const bool is_narrow = isNarrow(window_); is_narrow != is_narrow_) {
        is_narrow_ = is_narrow;
        putInputs();
        coverInspector();
        uncover();
    }
    const bool is_narrowest = window_.width() < std::max(width_for_all, lines_for_all * line);
    const bool inputs = isBeside(Inputs) || isBeside(Mask);
    const bool three =
        page_width_ == PageWidth::Widest && window_.width() < std::max(width_beside_three, lines_beside_three * line);
    const bool makes_way = three || (is_narrowest && (page_width_ != PageWidth::Usual || inputs));
    if (makes_way == makes_way_)
        return;
    makes_way_ = makes_way;
    QDockWidget* inspector = docks_[Inspector];
    if (makes_way) {
        is_aside_ = !inspector->isHidden() && !inspector->isFloating();
        if (is_aside_)
            inspector->hide();
        if (inputs && is_narrowest) // which were as narrow as they can be beside it
            window_.resizeDocks({docks_[docks_[Inputs]->isHidden() ? Mask : Inputs]}, {drawer}, Qt::Horizontal);
    } else if (std::exchange(is_aside_, false))
        inspector->show();
}

} // namespace attnlab::ui
