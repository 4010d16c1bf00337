#include "ui/document/background_write.h"

#include "ui/widgets/failure.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QFutureWatcher>
#include <QProgressDialog>
#include <QtConcurrent>
#include <QTimer>

#include <atomic>
#include <memory>

namespace attnlab::ui {
namespace {

constexpr int write_patience_milliseconds = 300;
constexpr int progress_steps = 1000;

struct Job {
    std::atomic<bool> cancelled{false};
    std::atomic<double> fraction{0.0};
};

WriteOutcome outcomeOf(const std::function<void(const RunControl&)>& work, const FailureWords& words, Job& job) {
    RunControl control;
    control.cancelled = [&job] { return job.cancelled.load(); };
    control.progress = [&job](double fraction) { job.fraction = fraction; };
    bool done = false;
    auto error = failureOf(
        [&] {
            work(control);
            done = true;
        },
        words);
    return {!done && !error, std::move(error)};
}

/// Runs the loop until it ends, with a box that can cancel.
void wait(QWidget* window, const QString& text, Job& job, QEventLoop& loop) {
    QProgressDialog box(text, QCoreApplication::translate("FileController", "Cancel"), 0, progress_steps, window);
    box.setWindowModality(Qt::WindowModal);
    box.setMinimumDuration(0);
    box.setAutoClose(false);
    box.setAutoReset(false);
    QObject::connect(&box, &QProgressDialog::canceled, &box, [&job] { job.cancelled = true; });
    QTimer poll;
    QObject::connect(&poll, &QTimer::timeout, &box, [&box, &job] {
        if (!job.cancelled)
            box.setValue(static_cast<int>(job.fraction * progress_steps));
    });
    constexpr int poll_milliseconds = 100;
    poll.start(poll_milliseconds);
    box.setValue(0);
    loop.exec();
}

} // namespace

WriteOutcome writeInBackground(QWidget* window, const QString& text, std::function<void(const RunControl&)> write) {
    return workInBackground(window, text, std::move(write), writing_failed);
}

WriteOutcome workInBackground(QWidget* window, const QString& text, std::function<void(const RunControl&)> work,
                              const FailureWords& words) {
    Job job;
    QEventLoop loop;
    QFutureWatcher<WriteOutcome> watcher;
    QObject::connect(&watcher, &QFutureWatcher<WriteOutcome>::finished, &loop, &QEventLoop::quit);
    watcher.setFuture(
        QtConcurrent::run([work = std::move(work), &words, &job] { return outcomeOf(work, words, job); }));
    // Short work shows no box, but must not be started twice either.
    QTimer::singleShot(write_patience_milliseconds, &loop, &QEventLoop::quit);
    if (!watcher.isFinished())
        loop.exec(QEventLoop::ExcludeUserInputEvents);
    if (!watcher.isFinished())
        wait(window, text, job, loop);
    // No loop runs once the program quits, but the work may need this thread until it ends.
    while (!watcher.isFinished()) {
        job.cancelled = true;
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    return watcher.result();
}

} // namespace attnlab::ui
