// Compares all implementations on random cases with the float64 reference, and that with long double; see bounds.h for
// the tolerances.
//   differential [--cases N] [--seed N] [--case N] [--engine NAME]
// exits with 1 on a disagreement, and prints the command that reproduces it. At the end prints the coverage: see
// coverage.h.
#include "tests/differential/engines.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

using namespace attnlab;
using namespace attnlab::differential;

namespace {

struct Options {
    std::int64_t cases = 300, first = 0;
    std::uint64_t seed = 1;
    std::string engine;
    bool says_what = false;
};

std::optional<Options> options_of(int argc, char** argv) {
    Options options;
    for (int k = 1; k + 1 < argc; k += 2) {
        const std::string name = argv[k];
        const char* value = argv[k + 1];
        if (name == "--cases") {
            options.cases = std::atoll(value);
        } else if (name == "--seed") {
            options.seed = static_cast<std::uint64_t>(std::atoll(value));
        } else if (name == "--case") {
            options.first = std::atoll(value);
            options.cases = 1;
            options.says_what = true;
        } else if (name == "--engine") {
            options.engine = value;
        } else {
            return std::nullopt;
        }
    }
    bool known = options.engine.empty();
    for (const auto& engine : engines())
        known = known || engine.name == options.engine;
    return argc % 2 == 1 && known ? std::optional(options) : std::nullopt;
}

void run_case(const Options& options, std::int64_t number, Report& report) {
    const auto made = make_case(options.seed, number);
    if (options.says_what)
        std::printf("%s\n", made.words.c_str());
    report.take(made);
    const auto reference = computed(made);
    for (const auto& engine : engines()) {
        if (!options.engine.empty() && engine.name != options.engine)
            continue;
        std::optional<Verdict> verdict;
        try {
            verdict = engine.run(reference);
        } catch (const std::exception& error) {
            verdict = Verdict{Verdict::Kind::Disagreed, std::string("threw ") + error.what()};
        }
        if (verdict)
            report.take(made, engine.name, *verdict);
    }
}

} // namespace

int main(int argc, char** argv) {
    const auto options = options_of(argc, argv);
    if (!options) {
        std::fprintf(stderr, "usage: differential [--cases N] [--seed N] [--case N] [--engine NAME], where NAME is one "
                             "of\n");
        for (const auto& engine : engines())
            std::fprintf(stderr, "  %s\n", engine.name.c_str());
        return 2;
    }
    Report report;
    for (std::int64_t k = 0; k < options->cases; ++k)
        run_case(*options, options->first + k, report);
    report.print(options->cases);
    return report.disagreed() > 0 ? 1 : 0;
}
