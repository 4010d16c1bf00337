// Work in another thread, of which only the latest request counts.
#pragma once

#include "core/message.h"
#include "core/run_control.h"
#include "ui/widgets/message_bar.h"

#include <QObject>
#include <QPointer>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

class QThreadPool;

namespace attnlab::ui {

/// The threads of a job. Computing keeps the cores busy for minutes, so it must not keep files waiting, and never takes
/// the threads of QThreadPool::globalInstance(): Qt waits for these when it fills large areas of the window.
enum class WorkPool {
    Computing,
    Files, ///< reading, writing, and other work that a progress box waits for
};
QThreadPool& threadsOf(WorkPool pool);

struct JobOptions {
    JobOptions() = default;
    JobOptions(std::chrono::milliseconds time, WorkPool threads = WorkPool::Computing,
               const FailureMessages& failure = computing_failed)
        : grace(time), pool(threads), words(&failure) {}

    std::chrono::milliseconds grace{}; ///< of a run that a newer request replaces
    WorkPool pool = WorkPool::Computing;
    const FailureMessages* words = &computing_failed; ///< for failures without a message
};

/// The part of LatestJob that does not depend on the result type. Lives in the GUI thread, where all signals are
/// emitted.
class LatestJobBase : public QObject {
    Q_OBJECT
public:
    /// Stops the run and waits for it; nothing is delivered or emitted afterwards.
    ~LatestJobBase() override;

    /// Drops the run and the waiting request, if any. cancelled() is emitted when the run has ended.
    void cancel();
    bool isRunning() const { return running_ != nullptr; }

    /// While it lives, runs end without being delivered or reported; this is made up for afterwards. For code with an
    /// event loop of its own, such as a question. A delivery is such code.
    class Hold {
    public:
        explicit Hold(LatestJobBase& job);
        ~Hold();
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;

    private:
        QPointer<LatestJobBase> job_;
    };
    bool isHeld() const { return holds_ > 0; }

signals:
    void started();
    void progressed(double fraction);
    /// The latest request threw an exception other than Cancelled.
    void failed(const attnlab::Message& why);
    /// The run was cancelled, and nothing was requested since.
    void cancelled();
    /// Nothing runs any more. The last signal of a request.
    void settled();

protected:
    LatestJobBase(const JobOptions& options, QObject* parent);

    /// Runs in a thread of the pool; the returned function runs in the GUI thread and delivers the result.
    using Delivery = std::function<void()>;
    using AnyWork = std::function<Delivery(const RunControl&)>;
    void requestAny(AnyWork work);

private:
    struct Run;
    void start();
    void stop();
    void settle();
    void deliver(Run& run, bool newest);
    RunControl controlOf(const std::shared_ptr<Run>& run);

    JobOptions options_;
    AnyWork pending_;
    std::shared_ptr<Run> running_;
    int holds_ = 0;
};

/// Runs one request at a time. A new one replaces the waiting request and stops the run: at once, or after the grace
/// time of the run. A run that ends within it is delivered although outdated, so that a picture follows a fast drag;
/// errors of superseded runs are ignored.
template <class Result>
class LatestJob : public LatestJobBase {
public:
    using Work = std::function<Result(const RunControl&)>;

    explicit LatestJob(std::function<void(Result)> done, const JobOptions& options = {}, QObject* parent = nullptr)
        : LatestJobBase(options, parent), done_(std::move(done)) {}

    /// Exceptions of `work` are reported by failed(). It must not access data that the GUI thread may change.
    void request(Work work) {
        requestAny([this, work = std::move(work)](const RunControl& control) -> Delivery {
            auto result = std::make_shared<Result>(work(control));
            return [this, result] { done_(std::move(*result)); };
        });
    }

private:
    std::function<void(Result)> done_;
};

/// Work on more numbers than this runs in the background; this many take some 20 milliseconds.
inline constexpr std::int64_t most_numbers_at_once = 1 << 20;

/// The grace time of runs whose results are shown during a drag.
inline constexpr std::chrono::milliseconds drag_grace{100};

} // namespace attnlab::ui
