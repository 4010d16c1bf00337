// The pool of threads of the engine.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

namespace attnlab::flash {

/// Calls work(worker, task) once for each task 0 .. tasks - 1, in this order as threads become free. Worker 0 is the
/// calling thread. The first exception stops the distribution of tasks and is rethrown.
void parallel_for(int threads, std::int64_t tasks, const std::function<void(int worker, std::int64_t task)>& work);

// Threads that share a caller's work, kept from one use to the next: starting one takes as long as a small product.

/// Work that helpers may join until its caller closes it.
class SharedWork {
public:
    /// `work` gets a number from 1 to `helpers`, another one in each thread. It must not throw.
    SharedWork(std::function<void(int worker)> work, int helpers) : work_(std::move(work)), places_(helpers) {}

private:
    friend class Helpers;
    std::function<void(int)> work_;
    int places_;   ///< for helpers that may still come
    int next_ = 1; ///< the number of the next one
    std::atomic<int> inside_{0};
};

/// The helpers of this process. Thread-safe; a process that has been forked begins with none.
class Helpers {
public:
    static Helpers& all();

    /// Offers work, which must live until close() returns. Starts threads if too few are idle. If no thread can be
    /// created, the call runs with fewer helpers.
    void offer(SharedWork& work);
    /// Rejects new helpers and waits for the active ones.
    void close(SharedWork& work);

private:
    /// A thread that waits for work, and the processor that it may not wake on; -1: any.
    struct Waiting {
        int thread = 0, barred = -1;
    };

    /// What each thread does.
    void serve();
    /// Bars those who wait from the processor of the caller.
    void spread();

    std::mutex mutex_;
    std::vector<Waiting*> waiting_;
    std::condition_variable offered_, left_;
    std::deque<SharedWork*> open_; ///< work with places
    std::atomic<int> places_{0};   ///< of all of it
    int idle_ = 0;                 ///< threads that wait for work, or begin to
};

} // namespace attnlab::flash
