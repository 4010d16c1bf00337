// Files written, and other long work done, while the window lives on.
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

/// Runs `write` on a worker and returns when it is done. The window goes on painting; after 0.3 s a box over it shows
/// `text`, how far it is, and Cancel. `write` polls its control and throws Cancelled, Error.
WriteOutcome writeInBackground(QWidget* window, const QString& text, std::function<void(const RunControl&)> write);
/// The same for work that writes no file; `words` say what its failures do not.
WriteOutcome workInBackground(QWidget* window, const QString& text, std::function<void(const RunControl&)> work,
                              const FailureWords& words);

} // namespace attnlab::ui
