#include "ui/remote/watch.h"

#include "core/io/file_formats.h"
#include "ui/document/file_name.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace attnlab::ui {
namespace {

/// A writer may rest for so long in the middle of a file, or between removing and writing it.
constexpr int longest_rest_milliseconds = 3000;

bool isReadableFormat(const QString& file) {
    const auto suffix = QFileInfo(file).suffix().toLower().toStdString();
    return std::ranges::any_of(io::tensor_formats(), [&](const auto& format) {
        return format.suffix == suffix && format.read_as != io::FileFormat::Figure;
    });
}

/// Empty where there is none. Hidden files are temporary ones.
QString newestIn(const QString& folder) {
    for (const auto& entry : QDir(folder).entryInfoList(QDir::Files | QDir::Readable, QDir::Time))
        if (isReadableFormat(entry.fileName()))
            return entry.absoluteFilePath();
    return {};
}

} // namespace

Watch::Watch(std::chrono::milliseconds interval, QObject* parent) : QObject(parent) {
    timer_.setInterval(interval);
    connect(&timer_, &QTimer::timeout, this, &Watch::lookAgain);
}

void Watch::setPath(const QString& path) {
    path_ = path;
    seen_.reset();
    told_.reset();
    unreadable_.reset();
    if (path_.isEmpty())
        timer_.stop();
    else
        timer_.start();
}

std::optional<Watch::Look> Watch::look() const {
    const auto file = QFileInfo(path_).isDir() ? newestIn(path_) : path_;
    const auto stamp = file.isEmpty() ? std::nullopt : io::stamp_of(toPath(file));
    return stamp ? std::optional<Look>({file, *stamp}) : std::nullopt;
}

void Watch::lookAgain() {
    const auto now = look();
    const bool rests = now == seen_;
    seen_ = now;
    const bool is_gone = !now && told_;
    if (is_gone && !rests)
        since_gone_.start();
    if (now && rests && now != told_) {
        told_ = now;
        unreadable_.reset();
        emit changed(now->file);
    } else if (unreadable_ && now == told_ && since_unreadable_.elapsed() > longest_rest_milliseconds) {
        const auto why = *unreadable_;
        unreadable_.reset();
        emit failed(why);
    } else if (is_gone && since_gone_.elapsed() > longest_rest_milliseconds) {
        told_.reset(); // shown again when it comes back
        unreadable_.reset();
        emit failed({ATTNLAB_TEXT("%1: is not there any more; what it held last is on show"), {path_.toStdString()}});
    }
}

void Watch::reportUnreadable(const Message& why) {
    unreadable_ = why;
    since_unreadable_.start();
}

} // namespace attnlab::ui
