// Asks the window that is open. Needs no event loop and no display.
#pragma once

#include "ui/remote/request.h"

#include <QString>

#include <chrono>
#include <optional>

namespace attnlab::ui {

/// nullopt where no window listens, or it closes before it answers. A window that does not answer in time is busy, and
/// shows the files later.
std::optional<Answer> ask(const QString& socket, const Request& request,
                          std::chrono::milliseconds patience = std::chrono::seconds(2));

bool isListening(const QString& socket);

} // namespace attnlab::ui
