#include "tests/differential/report.h"

#include <cctype>
#include <cstdio>

namespace attnlab::differential {
namespace {

/// A refusal without its numbers, which vary.
std::string kind_of(const std::string& refusal) {
    std::string kind;
    for (const char c : refusal) {
        const bool number = std::isdigit(static_cast<unsigned char>(c)) != 0;
        if (!number)
            kind += c;
        else if (kind.empty() || kind.back() != '#')
            kind += '#';
    }
    return kind;
}

} // namespace

void Report::take(const Case& made, const std::string& engine, const Verdict& verdict) {
    auto& counts = engines_[engine];
    switch (verdict.kind) {
    case Verdict::Kind::Agreed:
        ++counts.agreed;
        coverage_.agreed(made, engine);
        return;
    case Verdict::Kind::UnsupportedChoice:
        ++counts.refused;
        ++refusals_[kind_of(verdict.words)];
        return;
    case Verdict::Kind::Disagreed:
        ++counts.disagreed;
        ++disagreed_;
        std::printf("case %lld, %s: %s\n    %s\n    differential --seed %llu --case %lld --engine \"%s\"\n",
                    static_cast<long long>(made.number), engine.c_str(), verdict.words.c_str(), made.words.c_str(),
                    static_cast<unsigned long long>(made.seed), static_cast<long long>(made.number), engine.c_str());
        std::fflush(stdout);
    }
}

void Report::print(std::int64_t cases) const {
    std::printf("%lld cases\n%-28s %9s %9s %9s\n", static_cast<long long>(cases), "", "agreed", "refused", "disagreed");
    for (const auto& [engine, counts] : engines_)
        std::printf("%-28s %9lld %9lld %9lld\n", engine.c_str(), static_cast<long long>(counts.agreed),
                    static_cast<long long>(counts.refused), static_cast<long long>(counts.disagreed));
    std::printf("refused because\n");
    for (const auto& [why, count] : refusals_)
        std::printf("%9lld  %s\n", static_cast<long long>(count), why.c_str());
    coverage_.print();
}

} // namespace attnlab::differential
