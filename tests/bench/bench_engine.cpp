// How long the reference takes, against the same number of multiplications and additions in a plain loop.
#include "core/backend.h"
#include "core/inputs.h"
#include "core/random.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>

using namespace attnlab;

namespace {

AttentionProblem problemOf(std::int64_t heads, std::int64_t length, std::int64_t width) {
    AttentionProblem problem;
    problem.tensors.emplace("query", random_normal({1, heads, length, width}, 1));
    problem.tensors.emplace("key", random_normal({1, heads, length, width}, 2));
    problem.tensors.emplace("value", random_normal({1, heads, length, width}, 3));
    return problem;
}

/// Verifies the result before timing it.
void verify(const Computed& computed) {
    const auto weights = computed.trace.find("weights")->value.values();
    double sum = 0.0;
    for (const double weight : weights)
        sum += weight;
    const auto rows = static_cast<double>(computed.trace.find("lse")->value.size());
    if (std::abs(sum - rows) > 1e-6 * rows)
        std::abort();
}

void reference(benchmark::State& state) {
    const auto problem = problemOf(state.range(0), state.range(1), state.range(2));
    static const Backend* const backends[] = {&reference_backend()};
    verify(compute(problem, backends, "reference"));
    for (auto _ : state) // NOLINT(clang-analyzer-deadcode.DeadStores): how it counts
        benchmark::DoNotOptimize(compute(problem, backends, "reference"));
    const auto flops = 4.0 * static_cast<double>(state.range(0) * state.range(1) * state.range(1) * state.range(2));
    state.counters["flop/s"] = benchmark::Counter(flops, benchmark::Counter::kIsIterationInvariantRate);
}

} // namespace

BENCHMARK(reference)->Args({1, 4, 4})->Args({8, 64, 64})->Args({8, 256, 64})->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
