// Runs forwards and maps for tests/bench/attention_against_torch.py, which alternates them with another program. Each
// line of the standard input is one of
//   forward HEADS LENGTH DIM full|causal [float32|bfloat16]
//   map LENGTH DIM BINS full|causal max|mean
// and each line of the output the seconds of a run, those of the processor, and the largest error against float64 (for
// a map that of a row's sum). Inputs are made, and the result is verified, when a line differs from the one before.
#include "core/flash/measure.h"
#include "core/map/attention_map.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

using namespace attnlab;

namespace {

struct Job {
    std::function<void()> run;
    double error = 0.0;
};

int threads() {
    static const int count = flash::thread_count();
    return count;
}

bool causal_of(const std::string& which) {
    if (which != "causal" && which != "full")
        throw std::invalid_argument("expected full or causal, got '" + which + "'");
    return which == "causal";
}

Job forward_job(std::istream& line) {
    std::int64_t heads = 0, length = 0, dim = 0;
    std::string cells;
    if (!(line >> heads >> length >> dim >> cells))
        throw std::invalid_argument("expected: forward HEADS LENGTH DIM full|causal [float32|bfloat16]");
    std::string precision = "float32";
    line >> precision;
    if (precision != "float32" && precision != "bfloat16")
        throw std::invalid_argument("expected float32 or bfloat16, got '" + precision + "'");
    struct State {
        flash::Workload workload;
        flash::Precision precision;
        std::vector<float> output, lse;
    };
    const auto state =
        std::make_shared<State>(State{{{1, heads, heads, length, length, dim, dim}, causal_of(cells)},
                                      precision == "bfloat16" ? flash::Precision::BFloat16 : flash::Precision::Float32,
                                      std::vector<float>(static_cast<std::size_t>(heads * length * dim)),
                                      std::vector<float>(static_cast<std::size_t>(heads * length))});
    if (state->precision == flash::Precision::BFloat16)
        for (auto* numbers : {&state->workload.query, &state->workload.key, &state->workload.value})
            flash::round_to_bfloat16(*numbers);
    const auto run = [state] {
        auto problem = state->workload.problem();
        problem.precision = state->precision;
        flash::forward(problem, {state->output.data(), state->lse.data()}, {}, threads());
    };
    run();
    return {run, flash::deviation(state->workload, state->output.data(), state->lse.data()).output};
}

std::shared_ptr<const MapInputs> map_inputs(const flash::Workload& workload) {
    const auto tensor = [&](const std::vector<float>& values) {
        return Tensor({1, 1, workload.shape.L, workload.shape.E}, std::vector<double>(values.begin(), values.end()));
    };
    AttentionProblem problem;
    problem.tensors = {{"query", tensor(workload.query)}, {"key", tensor(workload.key)}};
    if (workload.causal)
        problem.spec.masks = {{"causal", {}}};
    return std::make_shared<const MapInputs>(std::move(problem), nullptr, flash::Precision::Float32);
}

/// The largest difference of the sum of a strip of rows from their number, by that number.
double strip_error(const MapBins& bins, const BinGrid& grid) {
    const auto strips = row_profile(bins);
    double error = 0.0;
    for (std::int64_t r = 0; r < grid.rows(); ++r) {
        const auto rows = static_cast<double>(grid.bin(r, 0).rows());
        error = std::max(error, std::abs(static_cast<double>(strips.sum[static_cast<std::size_t>(r)]) - rows) / rows);
    }
    return error;
}

Job map_job(std::istream& line) {
    std::int64_t length = 0, dim = 0, bins = 0;
    std::string cells, pool;
    if (!(line >> length >> dim >> bins >> cells >> pool) || (pool != "max" && pool != "mean"))
        throw std::invalid_argument("expected: map LENGTH DIM BINS full|causal max|mean");
    const auto inputs = map_inputs(flash::Workload({1, 1, 1, length, length, dim, dim}, causal_of(cells)));
    const AttentionMap map(inputs, 0, 0, {}, threads());
    const auto grid = grid_of(map.all(), bins, bins);
    const auto which = pool == "max" ? Pool::Max : Pool::Mean;
    return {[=] { pool_of_head(inputs, 0, 0, grid, which, {}, threads()); },
            strip_error(map.pool(grid, Pool::Mean, {}, threads()), grid)};
}

Job job_of(const std::string& text) {
    std::istringstream line(text);
    std::string what;
    line >> what;
    if (what == "forward")
        return forward_job(line);
    if (what == "map")
        return map_job(line);
    throw std::invalid_argument("expected forward or map, got '" + what + "'");
}

void report(const Job& job) {
    const auto started = std::chrono::steady_clock::now();
    const auto before = std::clock();
    job.run();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
    std::printf("%.7f %.7f %.3e\n", seconds.count(), static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC,
                job.error);
    std::fflush(stdout);
}

} // namespace

int main() {
    try {
        std::printf("%s, %d threads\n", flash::instruction_set().c_str(), threads());
        std::fflush(stdout);
        std::string previous;
        Job job;
        for (std::string line; std::getline(std::cin, line);) {
            if (line != previous)
                job = job_of(previous = line);
            report(job);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_attention: %s\n", error.what());
        return 1;
    }
}
