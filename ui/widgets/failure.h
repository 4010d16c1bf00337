// Work off the GUI thread must let no exception out: one that escapes looks like a cancelled future and vanishes.
#pragma once

#include "core/message.h"

#include <functional>
#include <optional>

namespace attnlab::ui {

/// What is said of failures that say nothing themselves.
struct FailureWords {
    const char* no_memory;
    const char* other; ///< with %1
};
extern const FailureWords computing_failed;
extern const FailureWords reading_failed;
extern const FailureWords writing_failed;
extern const FailureWords handling_failed;

/// What went wrong with `work`; nothing when it succeeded or was cancelled.
std::optional<Message> failureOf(const std::function<void()>& work, const FailureWords& words);

} // namespace attnlab::ui
