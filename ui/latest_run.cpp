#include "ui/latest_run.h"

#include <new>

namespace attnlab::ui {

RunControl controlOf(std::shared_ptr<const LatestRun> run) {
    RunControl control;
    control.cancelled = [run = std::move(run)] {
        constexpr auto grace = std::chrono::milliseconds(100);
        return run->stop.load(std::memory_order_relaxed) || (run->superseded.load(std::memory_order_relaxed) &&
                                                             std::chrono::steady_clock::now() - run->began > grace);
    };
    return control;
}

std::optional<Message> failureOf(const std::function<void()>& compute) {
    try {
        compute();
    } catch (const Cancelled&) {
    } catch (const Error& error) {
        return error.message();
    } catch (const std::bad_alloc&) {
        return Message(ATTNLAB_TEXT("There is not enough memory for this computation"));
    } catch (const std::exception& error) {
        return Message(ATTNLAB_TEXT("The computation failed: %1"), {error.what()});
    }
    return std::nullopt;
}

} // namespace attnlab::ui
