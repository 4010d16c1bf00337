#include "core/model/matrix.h"

#include "core/flash/flash_forward.h"
#include "core/flash/parallel.h"

#include <algorithm>

namespace attnlab::model {
namespace {

/// Numbers that one core reads and writes in about the time of waking another.
constexpr std::int64_t numbers_of_a_waking = std::int64_t{1} << 14;
/// Numbers of a task, at least.
constexpr std::int64_t numbers_of_a_task = std::int64_t{1} << 13;

} // namespace

void for_rows(std::int64_t rows, std::int64_t width, const std::function<void(std::int64_t row)>& work) {
    const auto of_a_task = std::max<std::int64_t>(1, numbers_of_a_task / std::max<std::int64_t>(1, width));
    const auto tasks = (rows + of_a_task - 1) / of_a_task;
    flash::parallel_for(rows * width < numbers_of_a_waking ? 1 : flash::thread_count(), tasks,
                        [&](int, std::int64_t task) {
                            for (auto row = task * of_a_task; row < std::min(rows, (task + 1) * of_a_task); ++row)
                                work(row);
                        });
}

void copy_numbers(const float* from, std::int64_t count, float* to) {
    const auto pieces = (count + numbers_of_a_task - 1) / numbers_of_a_task;
    for_rows(pieces, numbers_of_a_task, [&](std::int64_t piece) {
        const auto first = piece * numbers_of_a_task;
        std::copy_n(from + first, std::min(numbers_of_a_task, count - first), to + first);
    });
}

} // namespace attnlab::model
