// Runs the engine off the GUI thread; the latest request wins.
#pragma once

#include "core/backend.h"

#include <QObject>

#include <atomic>
#include <memory>
#include <optional>

namespace attnlab::ui {

using ComputedPtr = std::shared_ptr<const Computed>;

class Computation : public QObject {
    Q_OBJECT
public:
    /// `backends` must outlive this object.
    explicit Computation(Backends backends, QObject* parent = nullptr);
    /// Cancels and waits.
    ~Computation() override;

    void setBackend(const QString& id) { backend_ = id; }

    /// Starts computing a copy of `problem`; a run in progress is cancelled and its result dropped.
    void request(const AttentionProblem& problem);
    void cancel();
    bool isRunning() const { return running_ != nullptr; }

signals:
    void started();
    void progressed(double fraction);
    void finished(attnlab::ui::ComputedPtr result);
    void failed(const attnlab::Message& why);
    void cancelled();

private:
    struct Run;
    void start(AttentionProblem problem);
    void settle(const std::shared_ptr<Run>& run);

    Backends backends_;
    QString backend_ = QStringLiteral("auto");
    std::shared_ptr<Run> running_;
    std::optional<AttentionProblem> pending_;
};

} // namespace attnlab::ui

Q_DECLARE_METATYPE(attnlab::ui::ComputedPtr)
