#include "ui/document/background_write.h"

#include "ui/widgets/failure.h"
#include "ui/widgets/latest_job.h"
#include "ui/widgets/progress_box.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QList>
#include <QScopeGuard>
#include <QTimer>
#include <QWidget>

#include <atomic>

namespace attnlab::ui {
namespace {

struct WaitedFor {
    const QWidget* window;
    LatestJobBase* job;
};
/// In progress; in the GUI thread.
QList<WaitedFor>& waitedFor() {
    static QList<WaitedFor> all;
    return all;
}

bool isWithin(const QWidget* widget, const QWidget& window) {
    while (widget && widget != &window)
        widget = widget->parentWidget(); // of a dialog, the window below it
    return widget != nullptr;
}

} // namespace

bool cancelWork(const QWidget& window) {
    bool any = false;
    for (const auto& [of, job] : QList(waitedFor()))
        if (isWithin(of, window)) {
            job->cancel();
            any = true;
        }
    return any;
}

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
    waitedFor().push_back({window, &job});
    const auto remove =
        qScopeGuard([&job] { waitedFor().removeIf([&job](const auto& one) { return one.job == &job; }); });
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
