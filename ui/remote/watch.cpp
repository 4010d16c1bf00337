#include "ui/remote/watch.h"

#include "core/io/file_formats.h"
#include "ui/document/local_files.h"

#include <QDir>
#include <QFileInfo>
#include <QFileSystemWatcher>

#include <algorithm>
#include <functional>
#include <utility>

namespace attnlab::ui {
namespace {

/// A writer may rest for so long in the middle of a file, or between removing and writing it.
constexpr int longest_rest_milliseconds = 3000;

bool isReadableFormat(const QString& file) {
    const auto suffix = QFileInfo(file).suffix().toLower().toStdString();
    return std::ranges::any_of(io::tensor_formats(),
                               [&](const auto& format) { return format.suffix == suffix && !format.is_picture; });
}

/// Empty where there is none. Hidden files are temporary ones.
QString newestIn(const QString& folder) {
    for (const auto& entry : QDir(folder).entryInfoList(QDir::Files | QDir::Readable, QDir::Time))
        if (isReadableFormat(entry.fileName()))
            return entry.absoluteFilePath();
    return {};
}

/// A look at rest is followed by one after so many intervals.
constexpr int rest_factor = 10;

} // namespace

/// Looks in a thread of its own, and has the file system tell of changes.
class FolderPoller : public QObject {
public:
    /// `noticed` is called in the thread of this object.
    explicit FolderPoller(const std::function<void()>& noticed) {
        connect(&changes_, &QFileSystemWatcher::directoryChanged, this, noticed);
        connect(&changes_, &QFileSystemWatcher::fileChanged, this, noticed);
    }

    std::optional<Watch::Snapshot> at(const QString& path) {
        const QFileInfo given(path);
        const bool is_folder = given.isDir();
        const auto file = is_folder ? newestIn(path) : path;
        // Before the look, so that no later change is missed.
        follow(path.isEmpty() ? QStringList() : QStringList{is_folder ? path : given.absolutePath(), file});
        const auto stamp = file.isEmpty() ? std::nullopt : io::stamp_of(toPath(file));
        return stamp ? std::optional<Watch::Snapshot>({file, *stamp}) : std::nullopt;
    }

private:
    void follow(const QStringList& paths) {
        const auto followed = changes_.files() + changes_.directories();
        for (const auto& path : followed)
            if (!paths.contains(path))
                changes_.removePath(path);
        for (const auto& path : paths)
            if (!followed.contains(path) && QFileInfo::exists(path))
                changes_.addPath(path);
    }

    QFileSystemWatcher changes_{this};
};

Watch::Watch(std::chrono::milliseconds interval, QObject* parent)
    : QObject(parent), interval_(interval),
      worker_(new FolderPoller([this] { QMetaObject::invokeMethod(this, &Watch::hasten, Qt::QueuedConnection); })) {
    worker_->moveToThread(&thread_);
    connect(&thread_, &QThread::finished, worker_, &QObject::deleteLater);
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &Watch::lookAgain);
    thread_.start();
}

Watch::~Watch() {
    thread_.quit();
    thread_.wait();
}

void Watch::setPath(const QString& path) {
    path_ = path;
    ++request_;
    seen_.reset();
    last_reported_.reset();
    unreadable_.reset();
    if (path_.isEmpty()) {
        timer_.stop();
        QMetaObject::invokeMethod(worker_, [worker = worker_] { worker->at({}); }); // follows nothing any more
    } else {
        timer_.start(interval_);
    }
}

void Watch::lookAgain() {
    if (std::exchange(is_looking_, true))
        return;
    QMetaObject::invokeMethod(worker_, [this, worker = worker_, path = path_, request = request_] {
        const auto now = worker->at(path);
        // The thread ends before this object does.
        QMetaObject::invokeMethod(
            this, [this, now, request] { take(now, request); }, Qt::QueuedConnection);
    });
}

void Watch::take(const std::optional<Snapshot>& now, int request) {
    is_looking_ = false;
    if (path_.isEmpty())
        return;
    if (request == request_)
        note(now);
    const bool is_at_rest = request == request_ && now == last_reported_ && seen_ == now && !unreadable_;
    timer_.start(is_at_rest ? rest_factor * interval_ : interval_);
}

/// Changes often come in swarms, so it does not look at once.
void Watch::hasten() {
    if (!path_.isEmpty() && timer_.isActive() && timer_.remainingTimeAsDuration() > interval_)
        timer_.start(interval_);
}

void Watch::note(const std::optional<Snapshot>& now) {
    const bool rests = now == seen_;
    seen_ = now;
    const bool is_gone = !now && last_reported_;
    if (is_gone && !rests)
        since_gone_.start();
    if (now && rests && now != last_reported_) {
        last_reported_ = now;
        unreadable_.reset();
        emit changed(now->file);
    } else if (unreadable_ && now == last_reported_ && since_unreadable_.elapsed() > longest_rest_milliseconds) {
        const auto why = *unreadable_;
        unreadable_.reset();
        emit failed(why);
    } else if (is_gone && since_gone_.elapsed() > longest_rest_milliseconds) {
        last_reported_.reset(); // shown again when it comes back
        unreadable_.reset();
        emit failed({ATTNLAB_TEXT("%1: is not there any more; what it held last is on show"), {path_.toStdString()}});
    }
}

void Watch::reportUnreadable(const Message& why) {
    unreadable_ = why;
    since_unreadable_.start();
    hasten();
}

} // namespace attnlab::ui
