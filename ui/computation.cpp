#include "ui/computation.h"

#include "ui/failure.h"
#include "ui/latest_run.h"

#include <QFutureWatcher>
#include <QMetaObject>
#include <QPointer>
#include <QtConcurrent>

namespace attnlab::ui {

/// The worker writes `result` before its future finishes and touches nothing else of ours.
struct Computation::Run : LatestRun {
    ComputedPtr result;
};

Computation::Computation(Backends backends, QObject* parent) : QObject(parent), backends_(backends) {
    qRegisterMetaType<ComputedPtr>();
}

Computation::~Computation() {
    if (!running_)
        return;
    running_->stop = true;
    running_->future.waitForFinished();
}

void Computation::request(const AttentionProblem& problem) {
    if (running_) {
        running_->superseded = true;
        pending_ = problem;
        return;
    }
    start(problem);
}

void Computation::cancel() {
    pending_.reset();
    if (running_)
        running_->stop = true;
}

void Computation::start(AttentionProblem problem) {
    auto run = std::make_shared<Run>();
    running_ = run;
    emit started();

    auto control = controlOf(run);
    control.progress = [this, run](double fraction) {
        // The destructor waits for the worker, so `this` outlives the call; the queued lambda checks again.
        QMetaObject::invokeMethod(this, [this, run, fraction] {
            if (running_ == run && !run->stop)
                emit progressed(fraction);
        });
    };
    const auto work = [run, control, problem = std::move(problem), backends = backends_,
                       backend = backend_.toStdString()] {
        run->error = failureOf(
            [&] { run->result = std::make_shared<const Computed>(compute(problem, backends, backend, control)); },
            computing_failed);
    };
    auto* watcher = new QFutureWatcher<void>(this);
    connect(watcher, &QFutureWatcher<void>::finished, this, [this, watcher, run] {
        watcher->deleteLater();
        settle(run);
    });
    run->future = QtConcurrent::run(work);
    watcher->setFuture(run->future);
}

void Computation::settle(const std::shared_ptr<Run>& run) {
    running_.reset();
    if (pending_) {
        auto next = std::move(*pending_);
        pending_.reset();
        start(std::move(next));
        // A result that is already out of date is shown while the newer one is on its way; its failure is not.
        if (run->result && !run->stop)
            emit finished(run->result);
        return;
    }
    if (run->stop)
        emit cancelled();
    else if (run->error)
        emit failed(*run->error);
    else
        emit finished(run->result);
}

} // namespace attnlab::ui
