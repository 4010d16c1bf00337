// Measures how often work polls its RunControl.
#pragma once

#include "core/run_control.h"
#include "tests/test_main.h"

#include <algorithm>
#include <ctime>
#include <limits>

namespace attnlab::test {

/// The longest time without a poll that a user does not notice as a late Cancel.
inline constexpr double longest_without_poll = 0.2 * sanitizer_slowdown; // seconds

/// A control that counts its polls and the processor time of this thread between them: what other programs do meanwhile
/// does not count.
class PollWatch {
public:
    explicit PollWatch(int stop_at = -1) : stop_at_(stop_at), last_(spent()) {
        control_.cancelled = [this] {
            mark();
            return polls_++ == stop_at_;
        };
    }
    PollWatch(const PollWatch&) = delete;
    PollWatch& operator=(const PollWatch&) = delete;

    const RunControl& control() const { return control_; }
    int polls() const { return polls_; }
    /// Seconds, up to now.
    double longest() {
        mark();
        return longest_;
    }

private:
    static double spent() {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
    }
    void mark() {
        const double now = spent();
        longest_ = std::max(longest_, now - last_);
        last_ = now;
    }

    int stop_at_, polls_ = 0;
    double last_, longest_ = 0.0;
    RunControl control_;
};

/// The longest time without a poll, and the number of polls.
struct Pause {
    double longest = std::numeric_limits<double>::infinity();
    int polls = 0;
};

/// Of up to three runs the one with the shortest: a machine that is short of memory may hold any of them up for a
/// moment, which counts as their processor time. `run` takes a PollWatch; what it returns is freed unmeasured.
template <class Run>
Pause least_pause(const Run& run) {
    Pause least;
    for (int attempt = 0; attempt < 3 && !(least.longest < longest_without_poll); ++attempt) {
        PollWatch watch;
        [[maybe_unused]] const auto result = run(watch);
        if (const double longest = watch.longest(); longest < least.longest)
            least = {longest, watch.polls()};
    }
    return least;
}

} // namespace attnlab::test
