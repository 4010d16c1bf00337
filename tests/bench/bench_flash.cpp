// The flash forward as a fraction of the CPU's peak of multiply-adds, measured in turn with it, shape by shape. A
// causal shape counts the operations of the cells that it reads. Few queries against many keys are compared with
// reading the keys and values once. Every result is verified before it is timed.
// "steady" repeats, whose peaks before and after agree, determine the fraction if there are at least three.
// "by cpu" is the same by CPU time, for machines with other load.
// In bfloat16 inputs have it exactly. With AMX, which only bfloat16 uses, the fraction of the peak of vectors may be
// above 1; ATTNLAB_AMX=0 computes by vectors alone, ATTNLAB_AMX=1 by AMX alone.
//   bench_flash [REPEATS] [THREADS] [float32 | bfloat16]
#include "core/flash/measure.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

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
    {8, 8, 4097, 1000, 64, 64, false},   {8, 8, 1000, 1000, 65, 33, true},
};

/// Decoding: few queries, limited by the speed of reading keys and values.
constexpr Case few_rows[] = {
    {8, 8, 1, 4096, 64, 64, false},     {8, 8, 1, 32768, 64, 64, false},   {32, 8, 1, 4096, 128, 128, false},
    {32, 8, 1, 32768, 128, 128, false}, {1, 1, 1, 131072, 64, 64, false},  {32, 1, 1, 32768, 128, 128, false},
    {8, 8, 4, 32768, 64, 64, false},    {8, 8, 8, 32768, 64, 64, false},   {8, 8, 16, 32768, 64, 64, false},
    {8, 8, 1, 32768, 63, 65, false},    {8, 8, 1, 32768, 256, 256, false}, {1, 1, 64, 65536, 64, 64, false},
};

flash::Precision precision = flash::Precision::Float32;

/// The rounding error at these sizes.
double allowed() { return precision == flash::Precision::BFloat16 ? 2e-2 : 4e-6; }

struct Run {
    explicit Run(const Case& c)
        : workload({1, c.heads, c.kv_heads, c.length, c.keys, c.dim, c.value_dim}, c.causal),
          output(static_cast<std::size_t>(c.heads * c.length * c.value_dim)),
          lse(static_cast<std::size_t>(c.heads * c.length)) {
        if (precision == flash::Precision::BFloat16)
            for (auto* numbers : {&workload.query, &workload.key, &workload.value})
                flash::round_to_bfloat16(*numbers);
    }

    void operator()(int threads) {
        auto problem = workload.problem();
        problem.precision = precision;
        flash::forward(problem, {output.data(), lse.data()}, {}, threads);
    }

    /// Verifies the result before timing it.
    flash::Deviation verified(int threads) {
        (*this)(threads);
        const auto deviation = flash::deviation(workload, output.data(), lse.data());
        if (!(deviation.output <= allowed() && deviation.lse <= allowed())) {
            std::fprintf(stderr, "wrong: off by %g, lse by %g\n", deviation.output, deviation.lse);
            std::exit(1);
        }
        return deviation;
    }

    flash::Workload workload;
    std::vector<float> output, lse;
};

void print_shape(const Case& c) {
    std::printf("%2lld/%-2lld %5lld x %-6lld d %3lld, %-3lld %-6s", static_cast<long long>(c.heads),
                static_cast<long long>(c.kv_heads), static_cast<long long>(c.length), static_cast<long long>(c.keys),
                static_cast<long long>(c.dim), static_cast<long long>(c.value_dim), c.causal ? "causal" : "full");
}

void share_of_multiply_adds(const Case& c, int repeats, int threads) {
    Run run(c);
    const auto deviation = run.verified(threads);
    const auto timing = flash::measure([&] { run(threads); }, run.workload.operations(), repeats, threads);
    print_shape(c);
    std::printf(" %10.2f %9.1f %7.1f%% %7.1f%% %9.1e %9.1e %3d\n", timing.median_seconds * 1e3,
                run.workload.operations() / timing.median_seconds * 1e-9, timing.peak_fraction * 100.0,
                timing.peak_fraction_of_cpu_time * 100.0, deviation.output, deviation.lse, timing.steady_repeats);
    std::fflush(stdout);
}

void share_of_reading(const Case& c, int repeats, int threads) {
    Run run(c);
    const auto deviation = run.verified(threads);
    const auto ratio =
        flash::compare([&] { run(threads); }, [&] { flash::read_keys_and_values(run.workload, threads); }, repeats);
    print_shape(c);
    const auto bytes = static_cast<double>((run.workload.key.size() + run.workload.value.size()) * sizeof(float));
    std::printf(" %10.3f %9.1f %7.1f%% %7.1f%% %9.1e %9.1e\n", ratio.median_seconds * 1e3,
                bytes / ratio.median_seconds * 1e-9, 100.0 / ratio.wall, 100.0 / ratio.cpu, deviation.output,
                deviation.lse);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    const int repeats = argc > 1 ? std::atoi(argv[1]) : 9;
    const int threads = argc > 2 ? std::atoi(argv[2]) : flash::thread_count();
    if (argc > 3 && std::string_view(argv[3]) == flash::name_of(flash::Precision::BFloat16))
        precision = flash::Precision::BFloat16;
    std::printf("%s, %d threads, %s\n%-40s %10s %9s %8s %8s %9s %9s\n", flash::instruction_set().c_str(), threads,
                std::string(flash::name_of(precision)).c_str(), "shape", "median ms", "GB/s", "of read", "by cpu",
                "error", "lse error");
    for (const auto& c : few_rows)
        share_of_reading(c, repeats, threads);
    std::printf("%-40s %10s %9s %8s %8s %9s %9s %s\n", "shape", "median ms", "GFLOP/s", "of peak", "by cpu", "error",
                "lse error", "steady");
    for (const auto& c : cases)
        share_of_multiply_adds(c, repeats, threads);
}
