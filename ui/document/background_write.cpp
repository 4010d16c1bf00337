#include "ui/document/background_write.h"

#include "ui/widgets/failure.h"
#include "ui/widgets/latest_job.h"
#include "ui/widgets/progress_box.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QTimer>

#include <atomic>

namespace attnlab::ui {

WriteOutcome writeInBackground(QWidget* window, const QString& text, std::function<void(const RunControl&)> write) {
    return workInBackground(window, text, std::move(write), writing_failed);
}

WriteOutcome workInBackground(QWidget* window, const QString& text, std::function<void(const RunControl&)> work,
                              const FailureWords& words) {
    struct Nothing {};
    std::atomic<bool> done = false; // also where Cancel came too late
    std::optional<Message> error;
    QEventLoop loop;
    LatestJob<Nothing> job([](Nothing) {}, {{}, WorkPool::Files, words});
    QObject::connect(&job, &LatestJobBase::failed, &loop, [&error](const Message& why) { error = why; });
    QObject::connect(&job, &LatestJobBase::settled, &loop, &QEventLoop::quit);
    const ProgressBox box(job, window, text, Qt::WindowModal);
    job.request([&done, work = std::move(work)](const RunControl& control) {
        work(control);
        done = true;
        return Nothing();
    });
    // Short work shows no box, but must not be started twice either.
    QTimer::singleShot(ProgressBox::patience_milliseconds, &loop, &QEventLoop::quit);
    loop.exec(QEventLoop::ExcludeUserInputEvents);
    if (job.isRunning())
        loop.exec();
    // No loop runs once the program quits, but the work may need this thread until it ends.
    while (job.isRunning()) {
        job.cancel();
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    return {!done && !error, std::move(error)};
}

} // namespace attnlab::ui
