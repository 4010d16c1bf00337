// The flash forward as a share of the cores' peak of multiply-adds, measured in turn with it, shape by shape. A causal
// shape counts the operations of the cells that it reads. Every result is verified before it is timed.
// "by cpu" is the same share by the time that the cores spent, for machines with other load.
//   bench_flash [REPEATS] [THREADS]
#include "core/flash/measure.h"

#include <cstdio>
#include <cstdlib>

using namespace attnlab;

namespace {

struct Case {
    std::int64_t heads, kv_heads, length, keys, dim, value_dim;
    bool causal;
};

constexpr Case cases[] = {
    {8, 8, 512, 512, 64, 64, false},     {8, 8, 512, 512, 64, 64, true},      {8, 8, 2048, 2048, 64, 64, false},
    {8, 8, 2048, 2048, 64, 64, true},    {8, 8, 2048, 2048, 128, 128, false}, {8, 8, 2048, 2048, 128, 128, true},
    {4, 4, 4096, 4096, 128, 128, false}, {4, 4, 4096, 4096, 128, 128, true},  {1, 1, 16384, 16384, 64, 64, false},
    {1, 1, 16384, 16384, 64, 64, true},  {8, 2, 2048, 2048, 64, 64, false},   {4, 4, 2048, 2048, 256, 256, false},
    {8, 8, 2048, 2048, 32, 32, false},   {8, 8, 2048, 2048, 63, 63, false},   {8, 8, 2048, 2048, 65, 65, false},
    {8, 8, 2048, 2048, 127, 127, true},  {8, 8, 2047, 2049, 64, 64, false},   {8, 8, 2001, 2001, 64, 64, true},
    {8, 8, 4097, 1000, 64, 64, false},   {8, 8, 1000, 1000, 65, 33, true},    {8, 8, 1, 4096, 64, 64, false},
};

/// What float32 rounding explains at these sizes.
constexpr double allowed = 4e-6;

} // namespace

int main(int argc, char** argv) {
    const int repeats = argc > 1 ? std::atoi(argv[1]) : 9;
    const int threads = argc > 2 ? std::atoi(argv[2]) : flash::thread_count();
    std::printf("%s, %d threads\n%-34s %10s %9s %8s %8s %9s %9s\n", flash::instruction_set().c_str(), threads, "shape",
                "median ms", "GFLOP/s", "of peak", "by cpu", "error", "lse error");
    for (const auto& c : cases) {
        const flash::Workload workload({1, c.heads, c.kv_heads, c.length, c.keys, c.dim, c.value_dim}, c.causal);
        std::vector<float> output(static_cast<std::size_t>(c.heads * c.length * c.value_dim));
        std::vector<float> lse(static_cast<std::size_t>(c.heads * c.length));
        const auto run = [&] { flash::forward(workload.problem(), {output.data(), lse.data()}, {}, threads); };
        run();
        const auto deviation = flash::deviation(workload, output.data(), lse.data());
        if (!(deviation.output <= allowed && deviation.lse <= allowed)) {
            std::fprintf(stderr, "wrong: off by %g, lse by %g\n", deviation.output, deviation.lse);
            return 1;
        }
        const auto timing = flash::measure(run, workload.operations(), repeats, threads);
        std::printf("%lld/%-3lld %5lld x %-5lld d %3lld, %-3lld %-6s %10.2f %9.1f %7.1f%% %7.1f%% %9.1e %9.1e\n",
                    static_cast<long long>(c.heads), static_cast<long long>(c.kv_heads),
                    static_cast<long long>(c.length), static_cast<long long>(c.keys), static_cast<long long>(c.dim),
                    static_cast<long long>(c.value_dim), c.causal ? "causal" : "full", timing.median_seconds * 1e3,
                    workload.operations() / timing.median_seconds * 1e-9, timing.peak_fraction * 100.0,
                    timing.peak_fraction_of_cpu_time * 100.0, deviation.output, deviation.lse);
        std::fflush(stdout);
    }
}
