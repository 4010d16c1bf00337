#include "ui/export/animation_job.h"

#include <QFutureWatcher>
#include <QtConcurrent>

#include <atomic>

namespace attnlab::ui {

struct AnimationJob::Run {
    QString path;
    std::atomic<bool> stop = false;
    QFuture<void> future;
    std::optional<Message> error;
    bool done = false;
};

AnimationJob::~AnimationJob() {
    if (!run_)
        return;
    run_->stop = true;
    run_->future.waitForFinished();
}

void AnimationJob::start(const QString& path, const DrawingSequence& sequence, const AnimationOptions& options) {
    auto run = std::make_shared<Run>();
    run_ = run;
    run->path = path;
    RunControl control;
    control.cancelled = [run] { return run->stop.load(std::memory_order_relaxed); };
    control.progress = [this, run](double fraction) {
        // The destructor waits for the worker, so `this` outlives the call.
        QMetaObject::invokeMethod(this, [this, run, fraction] {
            if (run_ == run && !run->stop)
                emit progressed(fraction);
        });
    };
    const auto work = [run, control, sequence, options] {
        // An exception that escaped would look like a cancelled future and vanish.
        try {
            writeAnimation(run->path, sequence, options, control);
            run->done = true;
        } catch (const Cancelled&) {
        } catch (const Error& error) {
            run->error = error.message();
        } catch (const std::bad_alloc&) {
            run->error = Message(ATTNLAB_TEXT("Figure: not enough memory for a picture of this size"));
        } catch (const std::exception& error) {
            run->error = Message(ATTNLAB_TEXT("%1: cannot be written (%2)"), {run->path.toStdString(), error.what()});
        }
    };
    auto* watcher = new QFutureWatcher<void>(this);
    connect(watcher, &QFutureWatcher<void>::finished, this, [this, watcher, run] {
        watcher->deleteLater();
        settle(run);
    });
    run->future = QtConcurrent::run(work);
    watcher->setFuture(run->future);
}

void AnimationJob::cancel() {
    if (run_)
        run_->stop = true;
}

void AnimationJob::settle(const std::shared_ptr<Run>& run) {
    run_.reset();
    if (run->done)
        emit finished(run->path);
    else if (run->error)
        emit failed(*run->error);
    else
        emit cancelled();
}

} // namespace attnlab::ui
