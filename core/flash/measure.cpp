#include "core/flash/measure.h"

#include "core/flash/parallel.h"
#include "core/flash/row_kernel.h"
#include "core/random.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <ctime>
#include <numeric>

namespace attnlab::flash {
namespace {

std::vector<float> normal_numbers(std::int64_t count, std::uint64_t seed) {
    std::vector<float> numbers(static_cast<std::size_t>(count));
    Random random(seed);
    std::generate(numbers.begin(), numbers.end(), [&] { return static_cast<float>(random.normal()); });
    return numbers;
}

/// Time by the wall clock, and CPU time of all cores.
struct Seconds {
    double wall, cpu;
};

Seconds seconds_of(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    const auto cpu_start = std::clock();
    work();
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
            static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC};
}

/// Operations per second.
struct Rates {
    double wall, cpu;
};

Rates rates(double operations, const Seconds& seconds) { return {operations / seconds.wall, operations / seconds.cpu}; }

/// The rates of about `operations` multiply-adds.
Rates multiply_add_rates(int threads, double operations) {
    const auto kernel = tile_kernel();
    float probe[3] = {0.999f, 1e-9f, 0.0f};
    const double operations_a_step = kernel.multiply_adds(1, probe);
    const auto steps = static_cast<std::int64_t>(operations / operations_a_step / threads) + 1;
    const auto seconds = seconds_of([&] {
        parallel_for(threads, threads, [&](int, std::int64_t) {
            float sink[3] = {0.999f, 1e-9f, 0.0f};
            kernel.multiply_adds(steps, sink);
        });
    });
    return rates(operations_a_step * static_cast<double>(steps * threads), seconds);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const auto middle = values.size() / 2;
    return values.size() % 2 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

/// The larger one, or NaN where either is.
double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }

} // namespace

Workload::Workload(const Shape& workload_shape, bool is_causal, std::uint64_t seed)
    : shape(workload_shape), causal(is_causal), query(normal_numbers(shape.B * shape.H * shape.L * shape.E, seed)),
      key(normal_numbers(shape.B * shape.Hkv * shape.S * shape.E, seed + 1)),
      value(normal_numbers(shape.B * shape.Hkv * shape.S * shape.Ev, seed + 2)) {}

Problem Workload::problem() const {
    Problem problem{.shape = shape, .query = query.data(), .key = key.data(), .value = value.data()};
    problem.scale = 1.0 / std::sqrt(static_cast<double>(std::max<std::int64_t>(1, shape.E)));
    if (causal)
        problem.masks.bands.push_back({.after = 0});
    return problem;
}

double Workload::operations() const {
    double cells = static_cast<double>(shape.L) * static_cast<double>(shape.S);
    if (causal) {
        const auto triangle = static_cast<double>(std::min(shape.L, shape.S));
        cells = 0.5 * triangle * (triangle + 1.0) +
                static_cast<double>(std::max<std::int64_t>(0, shape.L - shape.S)) * static_cast<double>(shape.S);
    }
    return 2.0 * static_cast<double>(shape.B * shape.H) * cells * static_cast<double>(shape.E + shape.Ev);
}

Deviation deviation(const Workload& workload, const float* output, const float* lse, std::int64_t rows) {
    const auto& s = workload.shape;
    const double scale = workload.problem().scale;
    const auto all = s.B * s.H * s.L;
    Deviation worst;
    std::vector<double> weights;
    for (std::int64_t k = 0, looked = std::min(rows, all); k < looked; ++k) {
        const auto row = looked == 1 ? 0 : k * (all - 1) / (looked - 1);
        const auto head = row / s.L;
        const auto kv_head = head / s.H * s.Hkv + head % s.H / (s.H / s.Hkv);
        const auto keys = workload.causal ? std::min(row % s.L + 1, s.S) : s.S;
        const float* q = workload.query.data() + row * s.E;
        weights.clear();
        for (std::int64_t j = 0; j < keys; ++j)
            weights.push_back(scale *
                              std::inner_product(q, q + s.E, workload.key.data() + (kv_head * s.S + j) * s.E, 0.0));
        const double largest = keys == 0 ? 0.0 : *std::max_element(weights.begin(), weights.end());
        double sum = 0.0;
        for (double& weight : weights)
            sum += weight = std::exp(weight - largest);
        std::vector<double> expected(static_cast<std::size_t>(s.Ev));
        for (std::int64_t j = 0; j < keys; ++j)
            for (std::int64_t c = 0; c < s.Ev; ++c)
                expected[static_cast<std::size_t>(c)] +=
                    weights[static_cast<std::size_t>(j)] / sum *
                    workload.value[static_cast<std::size_t>((kv_head * s.S + j) * s.Ev + c)];
        for (std::int64_t c = 0; c < s.Ev; ++c)
            worst.output =
                larger(worst.output, std::abs(output[row * s.Ev + c] - expected[static_cast<std::size_t>(c)]));
        const double expected_lse = largest + std::log(sum);
        if (lse[row] != expected_lse)
            worst.lse = larger(worst.lse, std::abs(lse[row] - expected_lse));
    }
    return worst;
}

Timing measure(const std::function<void()>& run, double operations, int repeats, int threads) {
    run();
    // As long as a run, so that both see the same load, but at least 1e8 operations.
    const double probe = std::max(operations, 1e8);
    constexpr double steady = 0.02;
    struct Fractions {
        std::vector<double> wall, cpu;
    } all, in_steady_repeats;
    std::vector<double> seconds;
    auto before = multiply_add_rates(threads, probe);
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const auto taken = seconds_of(run);
        const auto after = multiply_add_rates(threads, probe);
        const auto rate = rates(operations, taken);
        seconds.push_back(taken.wall);
        const auto count = [&](Fractions& fractions) {
            fractions.wall.push_back(2.0 * rate.wall / (before.wall + after.wall));
            fractions.cpu.push_back(2.0 * rate.cpu / (before.cpu + after.cpu));
        };
        count(all);
        if (std::abs(before.wall - after.wall) <= steady * after.wall)
            count(in_steady_repeats);
        before = after;
    }
    const auto counted = in_steady_repeats.wall.size();
    const auto& fractions = counted >= 3 ? in_steady_repeats : all;
    return {median(seconds), median(fractions.wall), median(fractions.cpu), static_cast<int>(counted)};
}

Ratio compare(const std::function<void()>& run, const std::function<void()>& yardstick, int repeats) {
    run();
    std::vector<double> seconds, wall, cpu;
    auto before = seconds_of(yardstick);
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const auto taken = seconds_of(run);
        const auto after = seconds_of(yardstick);
        seconds.push_back(taken.wall);
        wall.push_back(2.0 * taken.wall / (before.wall + after.wall));
        cpu.push_back(2.0 * taken.cpu / (before.cpu + after.cpu));
        before = after;
    }
    return {median(seconds), median(wall), median(cpu)};
}

void read_keys_and_values(const Workload& workload, int threads) {
    const auto kernel = row_kernel();
    constexpr std::int64_t numbers_of_a_task = std::int64_t{1} << 17;
    std::atomic<float> sum{0.0f};
    for (const auto* numbers : {&workload.key, &workload.value}) {
        const auto count = std::ssize(*numbers);
        parallel_for(threads, (count + numbers_of_a_task - 1) / numbers_of_a_task, [&](int, std::int64_t task) {
            const auto first = task * numbers_of_a_task;
            sum = kernel.read(numbers->data() + first, std::min(numbers_of_a_task, count - first));
        });
    }
}

} // namespace attnlab::flash
