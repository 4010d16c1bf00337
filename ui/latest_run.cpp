#include "ui/latest_run.h"

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

} // namespace attnlab::ui
