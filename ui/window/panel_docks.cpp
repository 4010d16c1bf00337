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

/// The index of the saved arrangement for such a screen.
int arrangementFor(const QScreen& screen) { return isLow(screen) ? 1 : 0; }

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

void PanelDocks::add(const char* id, const char* title, QWidget* content, Qt::DockWidgetArea area,
                     const QMargins& margins) {
    auto* dock = new QDockWidget(QCoreApplication::translate("PanelDocks", title));
    dock->setObjectName(QString::fromLatin1(id));
    dock->setTitleBarWidget(new PanelGrip(*dock));
    dock->setWidget(padded(content, margins));
    window_.addDockWidget(area, dock);
    docks_ << dock;
    areas_ << area;
}

void PanelDocks::layOut() {
    for (int i = 0; i < docks_.size(); ++i) {
        docks_[i]->setFloating(false);
        window_.addDockWidget(areas_[i], docks_[i]);
        docks_[i]->show();
    }
    window_.resizeDocks({docks_[0], docks_[3]}, {280, 300}, Qt::Horizontal);
    if (isLow(*window_.screen())) {
        // Inputs, mask and heads share their place, or the window would exceed the screen.
        window_.tabifyDockWidget(docks_[0], docks_[1]);
        window_.tabifyDockWidget(docks_[0], docks_[2]);
        docks_[0]->raise();
        return;
    }
    window_.resizeDocks({docks_[0], docks_[1]}, {window_.height() / 2, window_.height() / 2}, Qt::Vertical);
    window_.resizeDocks({docks_[2]}, {190}, Qt::Vertical);
}

void PanelDocks::restore() { window_.restoreState(settings::windowState(), arrangementFor(*window_.screen())); }

QByteArray PanelDocks::saved() const { return window_.saveState(arrangementFor(*window_.screen())); }

} // namespace attnlab::ui
