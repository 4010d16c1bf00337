// Reads and writes files in the background, with progress and Cancel.
#pragma once

#include "core/attention.h"
#include "ui/widgets/latest_job.h"

#include <functional>
#include <memory>
#include <optional>
#include <QLatin1String>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>
#include <utility>

class QProgressBar;
class QProgressDialog;
class QWidget;

namespace attnlab::ui {

class LatestJobBase;

/// A box over `window` with a text, the progress of a job and Cancel. It shows when the job has run for 0.3 s, not
/// while the job is held, and closes when the job is settled. Without reports of progress its bar only shows that
/// something goes on. The job must outlive it.
class ProgressBox : public QObject {
    Q_OBJECT
public:
    static constexpr int delay_milliseconds = 300;

    /// A modal box keeps the user from everything else in the window, closing it included.
    ProgressBox(LatestJobBase& job, QWidget* window, QString text, Qt::WindowModality modality = Qt::NonModal);
    ~ProgressBox() override;

private:
    void show();
    void close();

    LatestJobBase& job_;
    QWidget* window_;
    QString text_;
    Qt::WindowModality modality_;
    QTimer delay_;
    QPointer<QProgressDialog> box_;
    QProgressBar* bar_ = nullptr; ///< of the box
};

} // namespace attnlab::ui

// Reads files while the window stays responsive.

class QWidget;

namespace attnlab::ui {

class MessageBar;

/// Every read of the user's files in a window. Of reads that overlap the latest counts: a new one cancels the one
/// before, whose `otherwise` is called.
class BackgroundRead : public LatestJobBase {
    Q_OBJECT
public:
    /// Of messages about the file that was read last; a new one removes them.
    static constexpr QLatin1String topic{"file"};

    BackgroundRead(MessageBar& messages, QWidget* window);

    /// Runs `read` in a worker thread, and passes what it returns to `use`. A box with Cancel shows after 0.3 s; an
    /// error shows in the message bar. Without a result, `otherwise` is called. `read` throws Error, and Cancelled as
    /// soon as its control says so.
    template <class Result>
    void start(std::function<Result(const RunControl&)> read, std::function<void(Result)> use,
               const std::function<void()>& otherwise = {}) {
        begin(
            [this, read = std::move(read), use = std::move(use)](const RunControl& control) -> Delivery {
                auto result = std::make_shared<Result>(read(control));
                return [this, result, use] { finish([&] { use(std::move(*result)); }); };
            },
            otherwise);
    }

signals:
    /// After `use` (then `ok` is true) or `otherwise`; not for a read that a new one has cancelled.
    void ended(bool ok);

private:
    void begin(AnyWork work, std::function<void()> otherwise);
    void finish(const std::function<void()>& use);
    void abandon();

    MessageBar& messages_;
    std::function<void()> otherwise_;
    ProgressBox box_;
};

} // namespace attnlab::ui

// Writes files and does other long work while the window stays responsive.

class QWidget;

namespace attnlab::ui {

struct FailureMessages;

struct WriteOutcome {
    bool cancelled = false;
    std::optional<Message> error = std::nullopt;
    bool ok() const { return !cancelled && !error; }
};

/// Runs `write` on a worker thread and returns when it is done. The window continues to paint; after 0.3 s a box shows
/// `text`, the progress and Cancel. `write` polls its control and throws Cancelled, Error.
WriteOutcome writeInBackground(QWidget* window, const QString& text, std::function<void(const RunControl&)> write);
/// The same for work that writes no file; `words` describe failures without a message.
WriteOutcome workInBackground(QWidget* window, const QString& text, std::function<void(const RunControl&)> work,
                              const FailureMessages& words);

/// Cancels such work of a window and of its dialogs. False if there is none; else its callers still wait for it in
/// event loops of their own, so that the window must not go yet.
bool cancelWork(const QWidget& window);

} // namespace attnlab::ui
