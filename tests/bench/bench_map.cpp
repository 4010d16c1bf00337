// Maps against our own forward at the same shape: each run of a map is between two runs of the forward and compared
// with their mean, to reduce the influence of other load. Every map is verified before it is timed: its strips have to
// sum up to their rows.
// "by cpu" is the same ratio in CPU time. "exact" is every weight of a viewport.
//   bench_map [REPEATS] [THREADS] [float32 | split | bfloat16]
#include "core/flash/measure.h"
#include "core/map/attention_map.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>

using namespace attnlab;

namespace {

struct Case {
    std::int64_t length, dim, bins;
    bool causal;
};

constexpr Case cases[] = {
    {2048, 64, 256, false}, {4096, 64, 4096, false}, {8192, 64, 2048, false},  {4096, 64, 512, false},
    {8192, 64, 512, false}, {16384, 64, 512, false}, {16384, 64, 1000, false}, {8192, 64, 4096, false},
    {16384, 64, 1, false},  {8192, 128, 512, false}, {8192, 32, 512, false},   {8192, 65, 512, false},
    {8192, 64, 512, true},  {16384, 64, 512, true},  {16384, 64, 2048, false}, {32768, 128, 4096, false},
};

flash::Precision precision = flash::Precision::Float32;

struct Seconds {
    double wall = 0.0, cpu = 0.0;
};

Seconds now() {
    const auto wall = std::chrono::steady_clock::now().time_since_epoch();
    return {std::chrono::duration<double>(wall).count(),
            static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC)};
}

template <class Run>
Seconds time_of(Run run) {
    const auto start = now();
    run();
    const auto end = now();
    return {end.wall - start.wall, end.cpu - start.cpu};
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

AttentionProblem problem_of(const flash::Workload& workload) {
    const auto tensor = [](Shape shape, const std::vector<float>& values) {
        return Tensor(std::move(shape), std::vector<double>(values.begin(), values.end()));
    };
    const auto& s = workload.shape;
    AttentionProblem problem;
    problem.tensors = {{"query", tensor({1, 1, s.L, s.E}, workload.query)},
                       {"key", tensor({1, 1, s.S, s.E}, workload.key)}};
    if (workload.causal)
        problem.spec.masks = {{"causal", {}}};
    return problem;
}

void verify(const MapBins& bins, const BinGrid& grid) {
    const auto strips = row_profile(bins);
    for (std::int64_t r = 0; r < grid.rows(); ++r) {
        const auto rows = static_cast<double>(grid.bin(r, 0).rows());
        if (!(std::abs(static_cast<double>(strips.sum[static_cast<std::size_t>(r)]) - rows) <= 2e-6 * rows)) {
            std::fprintf(stderr, "wrong: strip %lld sums up to %.9g, expected %g\n", static_cast<long long>(r),
                         static_cast<double>(strips.sum[static_cast<std::size_t>(r)]), rows);
            std::exit(1);
        }
    }
}

void print(const char* what, const flash::Ratio& ratio) {
    std::printf("  %-28s %9.1f ms %7.2f x the forward %7.2f by cpu\n", what, ratio.median_seconds * 1e3, ratio.wall,
                ratio.cpu);
    std::fflush(stdout);
}

void measure(const Case& c, int repeats, int threads) {
    const flash::Workload workload({1, 1, 1, c.length, c.length, c.dim, c.dim}, c.causal);
    std::vector<float> output(static_cast<std::size_t>(c.length * c.dim)), lse(static_cast<std::size_t>(c.length));
    const auto forward = [&] {
        flash::forward(workload.problem(), {.output = output.data(), .lse = lse.data()}, {}, threads);
    };
    const auto inputs = std::make_shared<const MapInputs>(problem_of(workload), nullptr, precision);
    const AttentionMap map(inputs, 0, 0, {}, threads);
    const auto grid = grid_of(map.all(), c.bins, c.bins);
    verify(map.pool(grid, Pool::Mean, {}, threads), grid);

    std::printf("%lld x %lld, d %lld, %lld x %lld bins%s\n", static_cast<long long>(c.length),
                static_cast<long long>(c.length), static_cast<long long>(c.dim), static_cast<long long>(grid.rows()),
                static_cast<long long>(grid.columns()), c.causal ? ", causal" : "");
    const auto report = [&](const char* what, const std::function<void()>& run) {
        print(what, flash::compare(run, forward, repeats));
    };
    report("max, lse known", [&] { map.pool(grid, Pool::Max, {}, threads); });
    report("mean, lse known", [&] { map.pool(grid, Pool::Mean, {}, threads); });
    report("lse and max in one pass", [&] { pool_of_head(inputs, 0, 0, grid, Pool::Max, {}, threads); });
    report("lse", [&] { AttentionMap(inputs, 0, 0, {}, threads); });
}

void measure_viewport(std::int64_t rows, std::int64_t columns, int repeats, int threads) {
    constexpr std::int64_t length = 8192, dim = 64;
    const flash::Workload workload({1, 1, 1, length, length, dim, dim}, false);
    const AttentionMap map(std::make_shared<const MapInputs>(problem_of(workload), nullptr, precision), 0, 0, {},
                           threads);
    std::vector<float> weights(static_cast<std::size_t>(rows * columns));
    const auto first_row = (length - rows) / 2, first_column = (length - columns) / 2;
    std::vector<double> wall, cpu;
    for (int k = 0; k < 3 * repeats; ++k) {
        const auto seconds = time_of([&] {
            map.weights({first_row, first_row + rows, first_column, first_column + columns}, weights.data(),
                        AttentionMap::Form::Weight, {}, threads);
        });
        wall.push_back(seconds.wall * 1e3);
        cpu.push_back(seconds.cpu * 1e3);
    }
    std::printf("exact %lld x %lld of 8192, d 64: median %.2f ms, best %.2f ms; %.2f ms of all cores together; a frame "
                "is 16.67 ms\n",
                static_cast<long long>(rows), static_cast<long long>(columns), median(wall),
                *std::min_element(wall.begin(), wall.end()), median(cpu));
}

} // namespace

int main(int argc, char** argv) {
    const int repeats = argc > 1 ? std::atoi(argv[1]) : 7;
    const int threads = argc > 2 ? std::atoi(argv[2]) : flash::thread_count();
    for (const auto wanted : {flash::Precision::Split, flash::Precision::BFloat16})
        if (argc > 3 && argv[3] == flash::name_of(wanted))
            precision = wanted;
    std::printf("%s, %d threads, %s; the forward in float32\n", flash::instruction_set().c_str(), threads,
                std::string(flash::name_of(precision)).c_str());
    measure_viewport(1024, 2048, repeats, threads);
    measure_viewport(1448, 1448, repeats, threads);
    for (const auto& c : cases)
        measure(c, repeats, threads);
}
