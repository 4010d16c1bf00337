#include "ui/recovery.h"

#include "core/io/workspace.h"
#include "ui/document.h"
#include "ui/view_json.h"
#include "ui/view_state.h"

#include <QDir>
#include <QFile>
#include <QLockFile>
#include <QStandardPaths>
#include <QtConcurrent>

namespace attnlab::ui {

Recovery::Recovery(Document& document, ViewState& view) : document_(document), view_(view) {
    constexpr int quiet_milliseconds = 2000;
    timer_.setSingleShot(true);
    timer_.setInterval(quiet_milliseconds);
    connect(&timer_, &QTimer::timeout, this, &Recovery::write);
}

Recovery::~Recovery() { writing_.waitForFinished(); }

QString Recovery::file() const { return stem_ + QStringLiteral(".npz"); }
QString Recovery::leftFile() const { return stem_ + QStringLiteral("-left.npz"); }

void Recovery::start() {
    const QDir folder(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation));
    folder.mkpath(QStringLiteral("."));
    constexpr int most_windows = 16;
    for (int i = 0; i < most_windows && !lock_; ++i) {
        stem_ = folder.filePath(QStringLiteral("recovery-%1").arg(i));
        auto lock = std::make_unique<QLockFile>(stem_ + QStringLiteral(".lock"));
        lock->setStaleLockTime(0); // held as long as its program runs
        if (lock->tryLock())
            lock_ = std::move(lock);
    }
    if (!lock_)
        return;
    // Laid aside, or this window's first edit would overwrite it before the user has answered.
    if (QFile::exists(file())) {
        QFile::remove(leftFile());
        QFile::rename(file(), leftFile());
    }
    connect(&document_, &Document::problemChanged, &timer_, qOverload<>(&QTimer::start));
}

void Recovery::end() {
    timer_.stop();
    writing_.waitForFinished();
    if (lock_)
        QFile::remove(file());
}

bool Recovery::hasLeftWork() const { return lock_ && QFile::exists(leftFile()); }

AttentionProblem Recovery::takeLeftWork(std::string* view_json) {
    auto problem = io::read_workspace(leftFile().toStdString(), view_json);
    end();
    QFile::rename(leftFile(), file());
    return problem;
}

void Recovery::dropLeftWork() { QFile::remove(leftFile()); }

void Recovery::write() {
    if (!document_.isModified()) {
        end(); // undone, or saved
        return;
    }
    if (writing_.isRunning()) {
        timer_.start();
        return;
    }
    // Copying the problem is cheap; writing it may not be, so it happens elsewhere.
    writing_ =
        QtConcurrent::run([path = file().toStdString(), problem = document_.problem(), view = viewToJson(view_)] {
            try {
                io::write_workspace(path, problem, view);
            } catch (const std::exception& error) {
                qWarning("recovery copy: %s", error.what());
            }
        });
}

} // namespace attnlab::ui
