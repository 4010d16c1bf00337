#include "core/flash/parallel.h"

#include "core/flash/helpers.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

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
    if (threads == 1 || tasks == 1) {
        take_tasks(0);
    } else {
        SharedWork shared(take_tasks, static_cast<int>(std::min<std::int64_t>(threads, tasks)) - 1);
        Helpers::all().offer(shared);
        take_tasks(0);
        Helpers::all().close(shared);
    }
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace attnlab::flash
