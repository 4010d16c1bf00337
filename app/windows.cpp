#include "app/windows.h"

#include "ui/document/file_controller.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/application.h"
#include "ui/window/main_window.h"

#include <QScreen>

#include <algorithm>

namespace attnlab::app {
namespace {

/// Beside another window of the same size, or at the screen's corner where that would leave the screen.
void placeBeside(ui::MainWindow& window, const ui::MainWindow& other) {
    constexpr QPoint step(28, 28);
    if (window.isMaximized() || window.isFullScreen())
        return;
    const QRect room = other.screen()->availableGeometry();
    QRect place(other.pos() + step, window.size());
    if (!room.contains(place))
        place.moveTopLeft(room.topLeft());
    window.move(place.topLeft());
}

} // namespace

Windows::Windows(ui::Application& application, Backends backends, const MapEngine* maps)
    : backends_(backends), maps_(maps) {
    connect(&application, &ui::Application::failed, this, [this](const Message& why) {
        if (auto* window = active())
            window->messageBar()->showMessage(ui::MessageBar::Kind::Error, why);
    });
}

Windows::~Windows() {
    for (auto* window : QList(windows_)) {
        window->disconnect(this);
        delete window;
    }
}

ui::MainWindow* Windows::active() const {
    const auto found = std::ranges::find_if(windows_, &QWidget::isActiveWindow);
    return found != windows_.end() ? *found : windows_.value(windows_.size() - 1);
}

ui::MainWindow& Windows::open() {
    const auto* beside = active();
    auto* window = new ui::MainWindow(backends_);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->setMapEngine(maps_);
    windows_ << window;
    connect(window, &QObject::destroyed, this, [this, window] { windows_.removeAll(window); });
    connect(window, &ui::MainWindow::newWindowRequested, this, [this] { open(); });
    if (beside)
        placeBeside(*window, *beside);
    window->show();
    window->files().openSample(QStringLiteral("multi_head_fox"));
    window->files().startRecovery();
    return *window;
}

} // namespace attnlab::app
