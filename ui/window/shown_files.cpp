#include "ui/window/shown_files.h"

#include "ui/document/file_controller.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/learn_mode.h"
#include "ui/window/main_window.h"

#include <QFileInfo>

#include <utility>

namespace attnlab::ui {
namespace {

constexpr std::chrono::milliseconds longest_wait{500};
const QString watch_topic = QStringLiteral("watch");

} // namespace

ShownFiles::ShownFiles(MainWindow& window) : QObject(&window), window_(window) {
    patience_.setSingleShot(true);
    patience_.setInterval(longest_wait);
    connect(&patience_, &QTimer::timeout, this, &ShownFiles::showNext);
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

void ShownFiles::want(Wish wish) {
    next_ = std::move(wish);
    if (!window_.isComputing() && !window_.files().isShowing())
        showNext();
    else if (!patience_.isActive())
        patience_.start();
}

void ShownFiles::showNext() {
    patience_.stop();
    if (!next_)
        return;
    if (next_->is_watched && window_.learnMode()->isOn()) {
        patience_.start(); // a file that changes by itself interrupts no lesson
        return;
    }
    const auto wish = std::exchange(next_, std::nullopt);
    if (wish->is_watched)
        window_.messageBar()->clear(watch_topic);
    window_.files().show(wish->paths, wish->is_watched ? [this](const Message& why) { watch_.reportUnreadable(why); }
                                                       : FileController::Failed());
}

} // namespace attnlab::ui
