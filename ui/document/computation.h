// Runs the engine in a worker thread; only the latest request counts.
#pragma once

#include "core/backend.h"
#include "ui/widgets/latest_job.h"

#include <memory>

namespace attnlab::ui {

using ComputedPtr = std::shared_ptr<const Computed>;

/// An outdated result is still shown if it took little time.
class Computation : public LatestJobBase {
    Q_OBJECT
public:
    /// `backends` must outlive this object.
    explicit Computation(Backends backends, QObject* parent = nullptr);

    /// Computes a copy of `problem`.
    void request(const AttentionProblem& problem);

signals:
    void finished(attnlab::ui::ComputedPtr result, const attnlab::AttentionProblem& problem);

private:
    Backends backends_;
};

} // namespace attnlab::ui

Q_DECLARE_METATYPE(attnlab::ui::ComputedPtr)
