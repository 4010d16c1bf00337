#include "ui/widgets/latest_job.h"

#include "ui/widgets/failure.h"

#include <QFutureWatcher>
#include <QMetaObject>
#include <QtConcurrent>

#include <atomic>
#include <optional>

namespace attnlab::ui {

/// The worker writes `delivery` and `error` before its future finishes and accesses nothing else of this object.
struct LatestJobBase::Run {
    const std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
    std::atomic<bool> stop = false;
    std::atomic<bool> superseded = false; ///< to be stopped after the grace time
    Delivery delivery;
    std::optional<Message> error;
    QFuture<void> future;
};

LatestJobBase::LatestJobBase(std::chrono::milliseconds grace, QObject* parent) : QObject(parent), grace_(grace) {}

LatestJobBase::~LatestJobBase() {
    if (!running_)
        return;
    running_->stop = true;
    running_->future.waitForFinished();
}

void LatestJobBase::requestAny(AnyWork work) {
    pending_ = std::move(work);
    if (!running_)
        start();
    else if (grace_ > grace_.zero())
        running_->superseded = true;
    else
        running_->stop = true;
}

void LatestJobBase::cancel() {
    pending_ = nullptr;
    if (running_)
        running_->stop = true;
}

void LatestJobBase::start() {
    auto run = std::make_shared<Run>();
    running_ = run;
    emit started();

    RunControl control;
    control.cancelled = [run, grace = grace_] {
        return run->stop || (run->superseded && std::chrono::steady_clock::now() - run->began > grace);
    };
    control.progress = [this, run](double fraction) {
        // The destructor waits for the worker, so `this` is valid during the call.
        QMetaObject::invokeMethod(this, [this, run, fraction] {
            if (running_ == run && !run->stop)
                emit progressed(fraction);
        });
    };
    auto* watcher = new QFutureWatcher<void>(this);
    connect(watcher, &QFutureWatcher<void>::finished, this, [this, watcher, run] {
        watcher->deleteLater();
        settle(run);
    });
    run->future = QtConcurrent::run([run, control, work = std::exchange(pending_, nullptr)] {
        run->error = failureOf([&] { run->delivery = work(control); }, computing_failed);
    });
    watcher->setFuture(run->future);
}

void LatestJobBase::settle(const std::shared_ptr<Run>& run) {
    running_.reset();
    const bool newest = !pending_;
    if (!newest)
        start(); // before the delivery, in which isRunning() tells whether a newer result is being computed
    if (run->delivery && !run->stop)
        run->delivery();
    else if (newest && run->error && !run->stop)
        emit failed(*run->error);
    else if (newest)
        emit cancelled();
}

} // namespace attnlab::ui
