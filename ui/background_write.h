// Files written while the window lives on.
#pragma once

#include "core/attention.h"

#include <QString>

#include <functional>
#include <optional>

class QWidget;

namespace attnlab::ui {

struct WriteOutcome {
    bool cancelled = false;
    std::optional<Message> error = std::nullopt;
    bool ok() const { return !cancelled && !error; }
};

/// Runs `write` on a worker and returns when it is done. The window goes on painting; after 0.3 s a box over it shows
/// `text`, how far it is, and Cancel. `write` polls its control and throws Cancelled, Error.
WriteOutcome writeInBackground(QWidget* window, const QString& text, std::function<void(const RunControl&)> write);

} // namespace attnlab::ui
