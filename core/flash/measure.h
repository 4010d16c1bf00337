// How near the flash forward comes to what the machine can do, and to float64. For benchmarks.
#pragma once

#include "core/flash/forward.h"

#include <functional>
#include <vector>

namespace attnlab::flash {

/// Normal numbers of a shape, the same for the same seed.
struct Workload {
    Workload(const Shape& workload_shape, bool is_causal, std::uint64_t seed = 1);

    /// scale 1/√E; views of the arrays.
    Problem problem() const;
    /// Multiplications and additions of both products over the cells that are read.
    double operations() const;

    Shape shape;
    bool causal;
    std::vector<float> query, key, value;
};

/// Largest differences from a plain float64 computation of the same float32 numbers.
struct Deviation {
    double output = 0.0;
    double lse = 0.0;
};

/// Looks at `rows` rows, spread evenly over all heads, the first and the last among them. NaN where either holds NaN.
Deviation deviation(const Workload& workload, const float* output, const float* lse, std::int64_t rows = 64);

struct Timing {
    double median_seconds = 0.0;
    double peak_fraction = 0.0; ///< of the rate of multiply-adds: the median over the repeats, see measure()
    /// The same by the time that the cores spent on it: on a machine with other load this is what is left of the
    /// fraction; threads that wait for each other do not show in it.
    double peak_fraction_of_cpu_time = 0.0;
    int steady_repeats = 0; ///< those whose peaks before and after agree
};

/// Runs `run` and as many independent float32 multiply-adds, the fastest thing that the cores can do, in turn:
/// `repeats` times after one run to warm up. Each run is compared with the rates just before and just after it, and
/// where these differ by more than 2 % the repeat does not count towards the fractions (unless fewer than three are
/// left), so that other load on the machine does not decide them.
Timing measure(const std::function<void()>& run, double operations, int repeats, int threads);

struct Ratio {
    double median_seconds = 0.0;
    double wall = 0.0; ///< of the time that the yardstick takes
    double cpu = 0.0;  ///< the same by the time that the cores spent
};

/// Runs `run` and `yardstick` in turn, `repeats` times after one run to warm up; each run is compared with the
/// yardsticks just before and just after it.
Ratio compare(const std::function<void()>& run, const std::function<void()>& yardstick, int repeats);

/// Reads every key and value of the workload once, as fast as the threads can: the least that few rows against many
/// keys take.
void read_keys_and_values(const Workload& workload, int threads);

} // namespace attnlab::flash
