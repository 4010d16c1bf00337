// Counts the kinds of inputs of a run, and how often each engine computed them and agreed.
#pragma once

#include "tests/differential/random_cases.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace attnlab::differential {

/// The features of a case, found in its arrays rather than in the choices of the generator.
std::set<std::string> features(const Case& made);

class Coverage {
public:
    void take(const Case& made);
    void agreed(const Case& made, const std::string& engine);
    /// A row for each feature; engines of one kind ("device float32", "device maps") share a column.
    void print() const;

private:
    struct Counts {
        std::int64_t cases = 0;
        std::map<std::string, std::int64_t> agreed;
    };
    const std::set<std::string>& features_of(const Case& made);

    std::map<std::string, Counts> counts_;
    std::set<std::string> engines_;
    std::set<std::string> latest_; ///< features of the case `number_` of `seed_`
    std::uint64_t seed_ = 0;
    std::int64_t number_ = -1;
};

} // namespace attnlab::differential
