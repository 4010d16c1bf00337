#include "core/flash/parallel.h"

#include "core/flash/processor.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace attnlab::flash {
namespace {

/// Waking a thread that sleeps takes about as long.
constexpr std::chrono::microseconds worth_waiting{50};

int most_idle() { return static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

/// Spins for a short time, without sleeping.
template <class Holds>
void wait_awake(const Holds& holds) {
    const auto end = std::chrono::steady_clock::now() + worth_waiting;
    while (!holds() && std::chrono::steady_clock::now() < end)
        std::this_thread::yield();
}

/// Never destroyed: threads may wait in it while the process ends.
std::atomic<Helpers*> helpers{nullptr};

} // namespace

Helpers& Helpers::all() {
    static std::once_flag once;
    std::call_once(once, [] {
        helpers = new Helpers;
        pthread_atfork(nullptr, nullptr, [] { helpers = new Helpers; });
    });
    return *helpers;
}

void Helpers::offer(SharedWork& work) {
    if (work.places_ <= 0)
        return;
    int missing = 0;
    {
        const std::lock_guard lock(mutex_);
        open_.push_back(&work);
        places_ += work.places_;
        missing = std::max(0, places_ - idle_);
        idle_ += missing;
        spread();
    }
    offered_.notify_all();
    try {
        for (; missing > 0; --missing)
            std::thread([this] {
                release_upper_registers();
                serve();
            }).detach();
    } catch (const std::system_error&) { // no more threads available: the caller does it with fewer
        const std::lock_guard lock(mutex_);
        idle_ -= missing;
    }
}

/// After heavy use of all processors, Linux may wake a helper on the processor of the caller, although another one is
/// idle. The helper would then start after the caller has done all of the work.
void Helpers::spread() {
    const int own = sched_getcpu();
    if (std::ranges::all_of(waiting_, [own](const Waiting* helper) { return helper->barred == own; }))
        return;
    cpu_set_t others;
    if (own < 0 || sched_getaffinity(0, sizeof others, &others) != 0)
        return;
    CPU_CLR(own, &others);
    if (CPU_COUNT(&others) == 0)
        return;
    for (auto* helper : waiting_)
        if (helper->barred != own && sched_setaffinity(helper->thread, sizeof others, &others) == 0)
            helper->barred = own;
}

void Helpers::close(SharedWork& work) {
    {
        const std::lock_guard lock(mutex_);
        if (work.places_ > 0) {
            places_ -= work.places_;
            work.places_ = 0;
            open_.erase(std::find(open_.begin(), open_.end(), &work));
        }
    }
    wait_awake([&] { return work.inside_ == 0; });
    std::unique_lock lock(mutex_); // held by who leaves, who thus has left
    left_.wait(lock, [&] { return work.inside_ == 0; });
}

void Helpers::serve() {
    Waiting self{::gettid()};
    std::unique_lock lock(mutex_);
    do {
        if (open_.empty()) {
            waiting_.push_back(&self);
            lock.unlock();
            wait_awake([this] { return places_ > 0; });
            lock.lock();
            offered_.wait(lock, [this] { return !open_.empty(); });
            std::erase(waiting_, &self);
        }
        --idle_;
        auto& work = *open_.front();
        --places_;
        if (--work.places_ == 0)
            open_.pop_front();
        const int worker = work.next_++;
        ++work.inside_;
        lock.unlock();
        work.work_(worker);
        lock.lock();
        if (--work.inside_ == 0)
            left_.notify_all();
        ++idle_;
    } while (!open_.empty() || idle_ <= most_idle());
    --idle_;
}

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
