// Catches exceptions of work in other threads, which would otherwise be lost as a cancelled future.
#pragma once

#include "core/message.h"

#include <functional>
#include <optional>

namespace attnlab::ui {

/// Texts for failures without a message.
struct FailureMessages {
    const char* no_memory;
    const char* other; ///< with %1
};
extern const FailureMessages computing_failed;
extern const FailureMessages reading_failed;
extern const FailureMessages writing_failed;
extern const FailureMessages handling_failed;

/// The error of `work`; nullopt on success or cancellation.
std::optional<Message> caughtFailure(const std::function<void()>& work, const FailureMessages& words);

} // namespace attnlab::ui
