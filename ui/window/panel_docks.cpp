#include "ui/window/panel_docks.h"

#include "ui/document/settings.h"
#include "ui/window/panel_grip.h"

#include <QCoreApplication>
#include <QDockWidget>
#include <QScreen>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

/// Panels arranged on a higher screen would not fit.
bool isLow(const QScreen& screen) {
    constexpr int lowest_for_all_panels = 700;
    return screen.availableSize().height() < lowest_for_all_panels;
}

/// The index of the saved arrangement for such a screen. (0 and 1 were those of versions with the heads in a panel.)
int arrangementFor(const QScreen& screen) { return isLow(screen) ? 3 : 2; }

constexpr int width_for_inputs = 1400; ///< of a window that shows them at first
enum Panel { Inputs, Mask, Inspector };

/// A panel with margins in the window's colour.
QWidget* padded(QWidget* panel, const QMargins& margins) {
    auto* around = new QWidget;
    auto* layout = new QVBoxLayout(around);
    layout->setContentsMargins(margins);
    layout->addWidget(panel);
    return around;
}

} // namespace

PanelDocks::PanelDocks(QMainWindow& window) : QObject(&window), window_(window) {
    window.setDockNestingEnabled(true);
    window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
}

PanelDocks::~PanelDocks() { qDeleteAll(docks_); }

QDockWidget* PanelDocks::add(const char* id, const char* title, QWidget* content, Qt::DockWidgetArea area,
                             const QMargins& margins) {
    auto* dock = new QDockWidget(QCoreApplication::translate("PanelDocks", title));
    dock->setObjectName(QString::fromLatin1(id));
    dock->setTitleBarWidget(new PanelGrip(*dock));
    dock->setWidget(padded(content, margins));
    window_.addDockWidget(area, dock);
    docks_ << dock;
    areas_ << area;
    return dock;
}

void PanelDocks::layOut() {
    for (int i = 0; i < docks_.size(); ++i) {
        docks_[i]->setFloating(false);
        window_.addDockWidget(areas_[i], docks_[i]);
    }
    window_.resizeDocks({docks_[Inputs], docks_[Inspector]}, {280, 330}, Qt::Horizontal);
    // On a low screen inputs and mask share their place, or the window would exceed the screen.
    if (isLow(*window_.screen()))
        window_.tabifyDockWidget(docks_[Inputs], docks_[Mask]);
    else
        window_.resizeDocks({docks_[Inputs], docks_[Mask]}, {window_.height() / 2, window_.height() / 2}, Qt::Vertical);
    const bool wide = window_.width() >= width_for_inputs;
    docks_[Inputs]->setVisible(wide);
    docks_[Mask]->setVisible(wide);
    docks_[Inspector]->show();
    if (isLow(*window_.screen()))
        docks_[Inputs]->raise();
}

void PanelDocks::openInputs() {
    for (const auto panel : {Inputs, Mask}) {
        window_.addDockWidget(areas_[panel], docks_[panel]);
        docks_[panel]->show();
    }
    if (isLow(*window_.screen()))
        docks_[Inputs]->raise();
}

bool PanelDocks::showsInputs() const { return !docks_[Inputs]->isHidden(); }

QList<QAction*> PanelDocks::actions() const {
    QList<QAction*> all;
    for (const QDockWidget* dock : docks_)
        all << dock->toggleViewAction();
    return all;
}

void PanelDocks::restore() { window_.restoreState(settings::windowState(), arrangementFor(*window_.screen())); }

QByteArray PanelDocks::saved() const { return window_.saveState(arrangementFor(*window_.screen())); }

} // namespace attnlab::ui
