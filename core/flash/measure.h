// Measures how close the flash forward comes to the machine's peak and to float64. For benchmarks.
#pragma once

#include "core/flash/flash_forward.h"

#include <functional>
#include <vector>

namespace attnlab::flash {

/// Normal random numbers of a shape, reproducible by seed.
struct Workload {
    Workload(const Shape& workload_shape, bool is_causal, std::uint64_t seed = 1);

    /// scale 1/√E; refers to the arrays.
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

/// Checks `rows` rows, spread evenly over all heads, including the first and the last. NaN where either side has NaN.
Deviation deviation(const Workload& workload, const float* output, const float* lse, std::int64_t rows = 64);

struct Timing {
    double median_seconds = 0.0;
    double peak_fraction = 0.0; ///< of the rate of multiply-adds: the median over the repeats, see measure()
    /// The same by CPU time: on a machine with other load it shows the fraction without that load; threads that wait
    /// for each other do not reduce it.
    double peak_fraction_of_cpu_time = 0.0;
    int steady_repeats = 0; ///< repeats whose peaks before and after agree
};

/// Alternates `run` with as many independent float32 multiply-adds, the peak of the cores: `repeats` times after one
/// warm-up run. Each run is compared with the rates just before and after it; where these differ by more than 2 % the
/// repeat is excluded from the fractions (unless fewer than three are left), to reduce the influence of other load.
Timing measure(const std::function<void()>& run, double operations, int repeats, int threads);

struct Ratio {
    double median_seconds = 0.0;
    double wall = 0.0; ///< relative to the yardstick
    double cpu = 0.0;  ///< the same in CPU time
};

/// Alternates `run` and `yardstick`, `repeats` times after one warm-up run; each run is compared with the yardsticks
/// just before and after it.
Ratio compare(const std::function<void()>& run, const std::function<void()>& yardstick, int repeats);

/// Reads every key and value of the workload once, as fast as the threads can: a lower bound for few rows against many
/// keys.
void read_keys_and_values(const Workload& workload, int threads);

} // namespace attnlab::flash
