// Catches exceptions of work in other threads, which would otherwise be lost as a cancelled future.
#pragma once

#include "core/message.h"

#include <functional>
#include <optional>

namespace attnlab::ui {

/// Texts for failures without a message.
struct FailureWords {
    const char* no_memory;
    const char* other; ///< with %1
};
extern const FailureWords computing_failed;
extern const FailureWords reading_failed;
extern const FailureWords writing_failed;
extern const FailureWords handling_failed;

/// The error of `work`; nullopt on success or cancellation.
std::optional<Message> failureOf(const std::function<void()>& work, const FailureWords& words);

} // namespace attnlab::ui
