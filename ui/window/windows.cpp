#include "ui/window/windows.h"

#include "ui/document/file_controller.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/learn_mode.h"
#include "ui/window/main_window.h"

#include <algorithm>
#include <QEvent>
#include <QFileInfo>
#include <QScreen>
#include <utility>

namespace attnlab::ui {
namespace {

/// At the screen's corner where little of it would be left on the screen beside the other one.
void placeBeside(MainWindow& window, const MainWindow& other) {
    constexpr QPoint step(28, 28);
    if (window.isMaximized() || window.isFullScreen())
        return;
    const QRect room = other.screen()->availableGeometry();
    constexpr QSize least(400, 300);
    const QPoint place = other.pos() + step;
    window.move(room.contains(QRect(place, least)) ? place : room.topLeft());
}

} // namespace

Windows::Windows(Backends backends, const MapEngine* maps, QString build_report)
    : backends_(backends), maps_(maps), build_report_(std::move(build_report)) {}

Windows::~Windows() {
    for (auto* window : QList(windows_)) {
        window->disconnect(this);
        delete window;
    }
}

MainWindow* Windows::active() const {
    const auto found = std::ranges::find_if(windows_, [](const auto* window) { return window->isActiveWindow(); });
    return found != windows_.end() ? *found : windows_.value(windows_.size() - 1);
}

void Windows::report(const Message& why) {
    if (auto* window = active())
        window->messageBar()->showMessage(MessageBar::Kind::Error, why);
}

void Windows::setDeviceLine(const Message& line) {
    device_line_ = line;
    for (auto* window : windows_)
        window->setDeviceLine(line);
}

void Windows::answer(const Request& request) {
    auto* window = active();
    if (!window)
        return;
    if (!request.paths.isEmpty())
        return window->shownFiles().show(request.paths);
    window->setWindowState(window->windowState() & ~Qt::WindowMinimized);
    window->raise();
    window->activateWindow();
}

MainWindow& Windows::open() {
    const auto* beside = active();
    auto* window = new MainWindow(backends_);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->setMapEngine(maps_);
    window->setDeviceLine(device_line_);
    window->setBuildReport(build_report_);
    connect(window, &QObject::destroyed, this, [this, window] { windows_.removeAll(window); });
    connect(window, &MainWindow::newWindowRequested, this, [this] { open(); });
    if (beside)
        placeBeside(*window, *beside);
    windows_ << window;
    window->show();
    window->files().openSample(QStringLiteral("multi_head_fox"));
    window->files().crashRecovery().start();
    return *window;
}

namespace {

constexpr std::chrono::milliseconds longest_wait{500};
const QString watch_topic = QStringLiteral("watch");

} // namespace

ShownFiles::ShownFiles(MainWindow& window) : QObject(&window), window_(window) {
    timeout_.setSingleShot(true);
    timeout_.setInterval(longest_wait);
    connect(&timeout_, &QTimer::timeout, this, &ShownFiles::showNext);
    connect(&window, &MainWindow::settled, this, &ShownFiles::showNext);
    connect(&watch_, &Watch::changed, this, [this](const QString& file) { want({{file}, true}); });
    connect(&watch_, &Watch::failed, this, [this](const Message& why) {
        window_.messageBar()->showMessage(MessageBar::Kind::Error, why, watch_topic);
    });
}

void ShownFiles::show(const QStringList& paths) {
    if (MainWindow::isOpenedAlone(paths))
        window_.open(paths);
    else
        want({paths});
}

void ShownFiles::watch(const QString& path) {
    watch_.setPath(path);
    emit watchedChanged();
}

void ShownFiles::want(PendingRequest request) {
    next_ = std::move(request);
    if (!window_.isComputing() && !window_.files().isShowing())
        showNext();
    else if (!timeout_.isActive())
        timeout_.start();
}

void ShownFiles::showNext() {
    timeout_.stop();
    if (!next_)
        return;
    if (next_->is_watched && window_.learnMode()->isOn()) {
        timeout_.start(); // a file that changes by itself interrupts no lesson
        return;
    }
    const auto request = std::exchange(next_, std::nullopt);
    if (request->is_watched)
        window_.messageBar()->clear(watch_topic);
    window_.files().show(request->paths, request->is_watched
                                             ? [this](const Message& why) { watch_.reportUnreadable(why); }
                                             : FileController::Failed());
}

} // namespace attnlab::ui

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

namespace attnlab::ui {
namespace {

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx"))) void clearUpperHalves() { _mm256_zeroupper(); }
bool hasUpperHalves() {
    static const bool has = __builtin_cpu_supports("avx");
    return has;
}
#else
void clearUpperHalves() {}
bool hasUpperHalves() { return false; }
#endif

} // namespace

bool Application::notify(QObject* receiver, QEvent* event) {
    const auto type = event->type(); // it may be deleted afterwards
    bool result = true;
    try {
        result = QApplication::notify(receiver, event);
    } catch (...) {
        if (const auto why = caughtFailure([] { throw; }, handling_failed))
            emit failed(*why);
    }
    if ((type == QEvent::Paint || type == QEvent::UpdateRequest) && hasUpperHalves())
        clearUpperHalves();
    return result;
}

} // namespace attnlab::ui
