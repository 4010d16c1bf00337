#include "core/flash/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace attnlab::flash {

void parallel_for(int threads, std::int64_t tasks, const std::function<void(int worker, std::int64_t task)>& work) {
    std::atomic<std::int64_t> next{0};
    std::mutex mutex;
    std::exception_ptr failure;
    const auto take_tasks = [&](int worker) {
        try {
            for (auto task = next++; task < tasks; task = next++)
                work(worker, task);
        } catch (...) {
            next = tasks;
            const std::lock_guard lock(mutex);
            if (!failure)
                failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> helpers;
        const auto helping = std::min<std::int64_t>(threads, tasks) - 1;
        try {
            for (std::int64_t worker = 1; worker <= helping; ++worker)
                helpers.emplace_back(take_tasks, static_cast<int>(worker));
        } catch (const std::system_error&) { // no more threads available: continue with fewer
        }
        take_tasks(0);
    }
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace attnlab::flash
