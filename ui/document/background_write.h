// Writes files and does other long work while the window stays responsive.
#pragma once

#include "core/attention.h"

#include <QString>

#include <functional>
#include <optional>

class QWidget;

namespace attnlab::ui {

struct FailureWords;

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
                              const FailureWords& words);

/// Cancels such work of a window and of its dialogs. False if there is none; else its callers still wait for it in
/// event loops of their own, so that the window must not go yet.
bool cancelWork(const QWidget& window);

} // namespace attnlab::ui
