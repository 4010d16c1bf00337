// Distributes work among threads.
#pragma once

#include <cstdint>
#include <functional>

namespace attnlab::flash {

/// Calls work(worker, task) once for each task 0 .. tasks - 1, in this order as threads become free. Worker 0 is the
/// calling thread. The first exception stops the distribution of tasks and is rethrown.
void parallel_for(int threads, std::int64_t tasks, const std::function<void(int worker, std::int64_t task)>& work);

} // namespace attnlab::flash
