// Ends the program when a launch hangs: nothing else can be done about it, and a device shared by several programs must
// not wait for long.
#pragma once

#include "gpu/hopper/bounded_waits.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

namespace attnlab::gpu {

class LaunchLimit {
public:
    static constexpr std::chrono::seconds limit{15};
    static constexpr int exit_code = 5;

    explicit LaunchLimit(const std::string& what) : thread_([this, what] { watch(what); }) {}
    LaunchLimit(const LaunchLimit&) = delete;
    LaunchLimit& operator=(const LaunchLimit&) = delete;
    ~LaunchLimit() {
        {
            const std::lock_guard lock(mutex_);
            ended_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }

private:
    void watch(const std::string& what) {
        std::unique_lock lock(mutex_);
        if (changed_.wait_for(lock, limit, [this] { return ended_; }))
            return;
        std::printf("HANGS: %s did not end within %d s\n", what.c_str(), static_cast<int>(limit.count()));
#ifdef ATTNLAB_BOUNDED_WAITS
        hopper::print_waits();
#endif
        std::fflush(stdout);
        std::_Exit(exit_code); // destructors would wait for the device
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    bool ended_ = false;
    std::thread thread_;
};

} // namespace attnlab::gpu
