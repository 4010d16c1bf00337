// Work off the GUI thread of which only the newest result counts.
#pragma once

#include "core/attention.h"

#include <QFutureWatcher>
#include <QObject>
#include <QtConcurrent>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace attnlab::ui {

/// A request stops the one that runs and begins when that has stopped. What a work throws is dropped: it says in its
/// result what went wrong.
template <class Result>
class LatestJob {
public:
    using Work = std::function<Result(const RunControl&)>;

    explicit LatestJob(std::function<void(const Result&)> done) : done_(std::move(done)) {}
    LatestJob(const LatestJob&) = delete;
    LatestJob& operator=(const LatestJob&) = delete;
    /// Stops and waits.
    ~LatestJob() {
        cancel();
        if (running_)
            running_->future.waitForFinished();
    }

    void request(Work work) {
        pending_ = std::move(work);
        if (running_)
            running_->stop = true;
        else
            start();
    }
    void cancel() {
        pending_ = nullptr;
        if (running_)
            running_->stop = true;
    }
    bool isRunning() const { return running_ != nullptr; }

private:
    struct Run {
        std::atomic<bool> stop = false;
        std::optional<Result> result;
        QFuture<void> future;
    };

    void start() {
        auto run = std::make_shared<Run>();
        running_ = run;
        run->future = QtConcurrent::run([run, work = std::exchange(pending_, nullptr)] {
            RunControl control;
            control.cancelled = [&run] { return run->stop.load(std::memory_order_relaxed); };
            try {
                run->result = work(control);
            } catch (const std::exception&) {
                run->result.reset();
            }
        });
        auto* watcher = new QFutureWatcher<void>(&here_);
        QObject::connect(watcher, &QFutureWatcher<void>::finished, &here_, [this, watcher, run] {
            watcher->deleteLater();
            running_.reset();
            if (pending_)
                start();
            else if (run->result && !run->stop)
                done_(*run->result);
        });
        watcher->setFuture(run->future);
    }

    QObject here_; ///< goes with this: nothing is called afterwards
    std::function<void(const Result&)> done_;
    Work pending_;
    std::shared_ptr<Run> running_;
};

} // namespace attnlab::ui
