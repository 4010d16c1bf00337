// Runs a model for tests/bench/model_against_transformers.py, which alternates it with another program: each line of
// the standard input is a number of tokens; each line of the output the seconds of a run, those of the processor, and
// the largest memory so far that is no file's, in MB. The first line is that after opening.
//   bench_model FOLDER [float32 | bfloat16]
#include "core/message.h"
#include "core/model/model.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>

using namespace attnlab;

namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double anonymous_megabytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("RssAnon:"))
            return std::stod(line.substr(8)) / 1024.0;
    return 0.0;
}

/// Prints what `work` takes.
template <class Work>
void report(Work work) {
    const auto started = std::chrono::steady_clock::now();
    const double before = processor_seconds();
    work();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
    std::printf("%.6f %.6f %.1f\n", seconds.count(), processor_seconds() - before, anonymous_megabytes());
    std::fflush(stdout);
}

} // namespace

int main(int count, char** arguments) {
    const std::string precision = count == 3 ? arguments[2] : "float32";
    if (count < 2 || count > 3 || (precision != "float32" && precision != "bfloat16")) {
        std::fputs("usage: bench_model FOLDER [float32 | bfloat16], and numbers of tokens on the standard input\n",
                   stderr);
        return 2;
    }
    const auto arithmetic = precision == "bfloat16" ? model::Arithmetic::BFloat16 : model::Arithmetic::Float32;
    try {
        std::optional<model::Model> opened;
        report([&] { opened = model::Model::open(arguments[1]).in(arithmetic); });
        for (std::int64_t tokens = 0; std::cin >> tokens;) {
            model::Input input;
            for (std::int64_t i = 0; i < tokens; ++i)
                input.ids.push_back(i * 7919 % 30000);
            std::optional<model::Result> result;
            report([&] { result = opened->run(input); });
        }
    } catch (const Error& error) {
        std::fprintf(stderr, "bench_model: %s\n", error.what());
        return 1;
    }
}
