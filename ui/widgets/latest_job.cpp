#include "ui/widgets/latest_job.h"

#include "core/flash/processor.h"

#include <QMetaObject>
#include <QtConcurrent>
#include <QThreadPool>

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>

namespace attnlab::ui {

QThreadPool& threadsOf(WorkPool pool) {
    static QThreadPool computing;
    if (pool == WorkPool::Computing)
        return computing;
    // A thread may wait for a disk or a network for long, so there are more than cores.
    struct FileThreads : QThreadPool {
        FileThreads() {
            constexpr int least = 4;
            setMaxThreadCount(std::max(least, maxThreadCount()));
        }
    };
    static FileThreads files;
    return files;
}

/// The worker writes `delivery` and `error` before its future finishes and accesses nothing else of this object.
struct LatestJobBase::Run {
    const std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
    std::atomic<bool> stop = false;
    std::atomic<bool> superseded = false; ///< to be stopped after the grace time
    std::atomic<bool> taken = false;      ///< by a thread, or by stop() while all threads were busy
    bool ended = false;                   ///< the GUI thread knows that the work is done
    Delivery delivery;
    std::optional<Message> error;
    QFuture<void> future;
};

LatestJobBase::Hold::Hold(LatestJobBase& job) : job_(&job) { ++job.holds_; }

LatestJobBase::Hold::~Hold() {
    if (job_ && --job_->holds_ == 0 && job_->running_ && job_->running_->ended)
        QMetaObject::invokeMethod(job_.data(), &LatestJobBase::settle, Qt::QueuedConnection);
}

LatestJobBase::LatestJobBase(const JobOptions& options, QObject* parent) : QObject(parent), options_(options) {}

LatestJobBase::~LatestJobBase() {
    if (!running_)
        return;
    running_->stop = true;
    if (running_->taken.exchange(true))
        running_->future.waitForFinished();
}

void LatestJobBase::requestAny(AnyWork work) {
    pending_ = std::move(work);
    if (!running_) {
        start();
        emit started();
        return;
    }
    if (options_.grace > options_.grace.zero())
        running_->superseded = true;
    else
        stop();
}

void LatestJobBase::cancel() {
    pending_ = nullptr;
    if (running_)
        stop();
}

void LatestJobBase::stop() {
    running_->stop = true;
    if (running_->ended) {
        running_->delivery = nullptr;
    } else if (!running_->taken.exchange(true)) { // no thread will come to it soon
        running_->ended = true;
        QMetaObject::invokeMethod(this, &LatestJobBase::settle, Qt::QueuedConnection);
    }
}

RunControl LatestJobBase::controlOf(const std::shared_ptr<Run>& run) {
    RunControl control;
    control.cancelled = [run, grace = options_.grace] {
        return run->stop || (run->superseded && std::chrono::steady_clock::now() - run->began > grace);
    };
    control.progress = [this, run](double fraction) {
        // The destructor waits for the worker, so `this` is valid during the call.
        QMetaObject::invokeMethod(this, [this, run, fraction] {
            if (running_ == run && !run->stop)
                emit progressed(fraction);
        });
    };
    return control;
}

/// Emits nothing: a slot may request again.
void LatestJobBase::start() {
    auto run = std::make_shared<Run>();
    running_ = run;
    run->future =
        QtConcurrent::run(&threadsOf(options_.pool), [this, run, control = controlOf(run), words = options_.words,
                                                      work = std::exchange(pending_, nullptr)]() mutable {
            if (run->taken.exchange(true))
                return;
            release_upper_registers();
            run->error = caughtFailure([&] { run->delivery = work(control); }, *words);
            work = nullptr;
            if (run->stop) // frees a result that nobody wants here, since it may be large
                run->delivery = nullptr;
            QMetaObject::invokeMethod(
                this,
                [this, run] {
                    run->ended = true;
                    settle();
                },
                Qt::QueuedConnection);
        });
}

/// Once the run has ended and nothing holds the job: starts what waits, delivers, and emits at last.
void LatestJobBase::settle() {
    if (holds_ > 0 || !running_ || !running_->ended)
        return;
    const auto run = std::exchange(running_, nullptr);
    const bool newest = !pending_;
    if (!newest)
        start(); // before the delivery, in which isRunning() tells whether a newer result is being computed
    const QPointer<LatestJobBase> self(this);
    std::exception_ptr thrown;
    try {
        const Hold hold(*this);
        deliver(*run, newest);
    } catch (...) {
        thrown = std::current_exception();
    }
    if (self && !newest && running_)
        emit started();
    if (self && !running_)
        emit settled();
    if (thrown)
        std::rethrow_exception(thrown);
}

void LatestJobBase::deliver(Run& run, bool newest) {
    if (run.delivery && !run.stop)
        run.delivery();
    else if (newest && run.error && !run.stop)
        emit failed(*run.error);
    else if (newest)
        emit cancelled();
}

} // namespace attnlab::ui
