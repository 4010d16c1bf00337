// Writes an animated picture off the GUI thread.
#pragma once

#include "ui/export/animation.h"

#include <QObject>

#include <memory>

namespace attnlab::ui {

class AnimationJob : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    /// Cancels and waits.
    ~AnimationJob() override;

    /// Must not be running.
    void start(const QString& path, const DrawingSequence& sequence, const AnimationOptions& options);
    void cancel();
    bool isRunning() const { return run_ != nullptr; }

signals:
    void progressed(double fraction);
    void finished(const QString& path);
    void failed(const attnlab::Message& why);
    void cancelled();

private:
    struct Run;
    void settle(const std::shared_ptr<Run>& run);

    std::shared_ptr<Run> run_;
};

} // namespace attnlab::ui
