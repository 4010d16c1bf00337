// Work off the GUI thread of which only the newest request counts.
#pragma once

#include "core/attention.h"

#include <QObject>

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

namespace attnlab::ui {

/// What a LatestJob has whatever its result is. Lives in the GUI thread, where all signals are emitted.
class LatestJobBase : public QObject {
    Q_OBJECT
public:
    /// Stops the run and waits for it; nothing is delivered or emitted any more.
    ~LatestJobBase() override;

    /// Drops the run and the request that waits, if any. cancelled() is emitted when the run has ended.
    void cancel();
    bool isRunning() const { return running_ != nullptr; }

signals:
    void started();
    void progressed(double fraction);
    /// The newest request threw something else than Cancelled.
    void failed(const attnlab::Message& why);
    /// The run was cancelled, and nothing was requested since.
    void cancelled();

protected:
    LatestJobBase(std::chrono::milliseconds grace, QObject* parent);

    /// Runs in a thread of the global pool; what it returns runs in the GUI thread and delivers the result.
    using Delivery = std::function<void()>;
    using AnyWork = std::function<Delivery(const RunControl&)>;
    void requestAny(AnyWork work);

private:
    struct Run;
    void start();
    void settle(const std::shared_ptr<Run>& run);

    std::chrono::milliseconds grace_;
    AnyWork pending_;
    std::shared_ptr<Run> running_;
};

/// One request runs at a time. Another one takes the place of the request that waits, and the run is stopped: at once,
/// or once it has run for the time of grace. A run that ends within that time is delivered although it is out of date,
/// so that a picture follows a fast drag; its failure is not reported.
template <class Result>
class LatestJob : public LatestJobBase {
public:
    using Work = std::function<Result(const RunControl&)>;

    explicit LatestJob(std::function<void(Result)> done, std::chrono::milliseconds grace = {},
                       QObject* parent = nullptr)
        : LatestJobBase(grace, parent), done_(std::move(done)) {}

    /// What `work` throws is reported by failed(). It must not touch what the GUI thread may change meanwhile.
    void request(Work work) {
        requestAny([this, work = std::move(work)](const RunControl& control) -> Delivery {
            auto result = std::make_shared<Result>(work(control));
            return [this, result] { done_(std::move(*result)); };
        });
    }

private:
    std::function<void(Result)> done_;
};

/// How long a run goes on whose result is shown while it is made, although a newer change waits.
inline constexpr std::chrono::milliseconds drag_grace{100};

} // namespace attnlab::ui
