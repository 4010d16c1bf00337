// Reading in a worker thread, with a box that offers to cancel it.
#include "ui/document/background_read.h"

#include "core/message.h"
#include "ui/widgets/failure.h"
#include "ui/widgets/message_bar.h"

#include <QFutureWatcher>
#include <QProgressDialog>
#include <QtConcurrent>

namespace attnlab::ui {

BackgroundRead::BackgroundRead(MessageBar& messages, QWidget* window) : messages_(messages), window_(window) {}

void BackgroundRead::run(std::function<void()> read, std::function<void()> use, std::function<void()> otherwise) {
    using Failure = std::optional<Message>;
    messages_.clear(topic);
    auto* progress = new QProgressDialog(tr("Reading…"), tr("Cancel"), 0, 0, window_);
    constexpr int patience_milliseconds = 300;
    progress->setMinimumDuration(patience_milliseconds);
    progress->setWindowModality(Qt::WindowModal);
    progress->setValue(0);

    auto* watcher = new QFutureWatcher<Failure>(this);
    connect(watcher, &QFutureWatcher<Failure>::finished, this,
            [this, watcher, progress, use = std::move(use), otherwise = std::move(otherwise)] {
                watcher->deleteLater();
                const bool cancelled = progress->wasCanceled();
                progress->reset();
                progress->deleteLater();
                const auto failure = watcher->result();
                const bool ok = !cancelled && !failure;
                if (ok)
                    use();
                else if (failure && !cancelled)
                    messages_.showMessage(MessageBar::Kind::Error, *failure, topic);
                if (!ok && otherwise)
                    otherwise();
                emit ended(ok);
            });
    watcher->setFuture(QtConcurrent::run([read = std::move(read)] { return failureOf(read, reading_failed); }));
}

} // namespace attnlab::ui
