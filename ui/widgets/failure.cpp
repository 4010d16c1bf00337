#include "ui/widgets/failure.h"

#include <new>

namespace attnlab::ui {

const FailureMessages computing_failed{ATTNLAB_TEXT("There is not enough memory for this computation"),
                                       ATTNLAB_TEXT("The computation failed: %1")};
const FailureMessages reading_failed{ATTNLAB_TEXT("There is not enough memory to read this file"),
                                     ATTNLAB_TEXT("The file cannot be read: %1")};
const FailureMessages writing_failed{ATTNLAB_TEXT("There is not enough memory to write this file"),
                                     ATTNLAB_TEXT("The file cannot be written: %1")};

const FailureMessages handling_failed{ATTNLAB_TEXT("There is not enough memory for this"),
                                      ATTNLAB_TEXT("This failed: %1")};

std::optional<Message> caughtFailure(const std::function<void()>& work, const FailureMessages& words) {
    try {
        work();
    } catch (const Cancelled&) {
    } catch (const Error& error) {
        return error.message();
    } catch (const std::bad_alloc&) {
        return Message(words.no_memory);
    } catch (const std::exception& error) {
        return Message(words.other, {error.what()});
    } catch (...) {
        return Message(words.other, {Message(ATTNLAB_TEXT("an unknown error"))});
    }
    return std::nullopt;
}

} // namespace attnlab::ui
