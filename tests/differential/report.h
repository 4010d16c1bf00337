// The results of a run by engine.
#pragma once

#include "tests/differential/coverage.h"

#include <map>
#include <string>

namespace attnlab::differential {

struct Verdict {
    enum class Kind { Agreed, UnsupportedChoice, Disagreed } kind = Kind::Agreed;
    std::string words = {}; ///< the reason of a refusal, or the difference
};

class Report {
public:
    /// Called before the engines' results for the case.
    void take(const Case& made) { coverage_.take(made); }
    void take(const Case& made, const std::string& engine, const Verdict& verdict);
    void print(std::int64_t cases) const;
    std::int64_t disagreed() const { return disagreed_; }

private:
    struct Counts {
        std::int64_t agreed = 0, refused = 0, disagreed = 0;
    };
    std::map<std::string, Counts> engines_;
    std::map<std::string, std::int64_t> refusals_;
    std::int64_t disagreed_ = 0;
    Coverage coverage_;
};

} // namespace attnlab::differential
