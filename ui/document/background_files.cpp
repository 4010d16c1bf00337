#include "ui/document/background_files.h"

#include "ui/widgets/latest_job.h"
#include "ui/widgets/message_bar.h"

#include <atomic>
#include <QCoreApplication>
#include <QEventLoop>
#include <QList>
#include <QProgressBar>
#include <QProgressDialog>
#include <QScopeGuard>
#include <QTimer>
#include <QWidget>
#include <utility>

namespace attnlab::ui {

ProgressBox::ProgressBox(LatestJobBase& job, QWidget* window, QString text, Qt::WindowModality modality)
    : job_(job), window_(window), text_(std::move(text)), modality_(modality) {
    delay_.setSingleShot(true);
    delay_.setInterval(delay_milliseconds);
    connect(&delay_, &QTimer::timeout, this, &ProgressBox::show);
    connect(&job, &LatestJobBase::started, this, [this] {
        if (!box_ && !delay_.isActive())
            delay_.start();
    });
    connect(&job, &LatestJobBase::progressed, this, [this](double fraction) {
        constexpr int steps = 1000;
        if (!box_)
            return;
        bar_->setMaximum(steps);
        bar_->setValue(static_cast<int>(fraction * steps));
    });
    connect(&job, &LatestJobBase::settled, this, &ProgressBox::close);
}

ProgressBox::~ProgressBox() { close(); }

void ProgressBox::show() {
    if (job_.isHeld()) {
        delay_.start();
        return;
    }
    box_ = new QProgressDialog(text_, QCoreApplication::translate("FileController", "Cancel"), 0, 0, window_);
    box_->setWindowModality(modality_);
    box_->setMinimumDuration(0);
    box_->setAutoClose(false);
    box_->setAutoReset(false);
    bar_ = new QProgressBar; // QProgressDialog::setValue() would run the event loop
    bar_->setRange(0, 0);
    box_->setBar(bar_);
    const auto cancel = [this] {
        if (!box_)
            return;
        box_->deleteLater(); // it still emits
        box_ = nullptr;
        job_.cancel();
    };
    connect(box_, &QProgressDialog::canceled, this, cancel);
    connect(box_, &QDialog::rejected, this, cancel); // Escape in a window that is not active yet only hides the box
    box_->show();
}

void ProgressBox::close() {
    delay_.stop();
    delete box_;
}

BackgroundRead::BackgroundRead(MessageBar& messages, QWidget* window)
    : LatestJobBase({{}, WorkPool::Files, reading_failed}, nullptr), messages_(messages),
      box_(*this, window, tr("Reading…")) {
    connect(this, &LatestJobBase::failed, this, [this](const Message& why) {
        messages_.showMessage(MessageBar::Kind::Error, why, topic);
        abandon();
    });
    connect(this, &LatestJobBase::cancelled, this, &BackgroundRead::abandon);
}

void BackgroundRead::begin(AnyWork work, std::function<void()> otherwise) {
    messages_.clear(topic);
    if (const auto before = std::exchange(otherwise_, std::move(otherwise)))
        before();
    requestAny(std::move(work));
}

void BackgroundRead::finish(const std::function<void()>& use) {
    otherwise_ = nullptr;
    use();
    emit ended(true);
}

void BackgroundRead::abandon() {
    if (const auto otherwise = std::exchange(otherwise_, nullptr))
        otherwise();
    emit ended(false);
}

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
                              const FailureMessages& words) {
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
    QTimer::singleShot(ProgressBox::delay_milliseconds, &loop, &QEventLoop::quit);
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
