// Random problems that nobody would choose: sizes, masks, fills, biases, scales, positions, numbers of every size.
#pragma once

#include "core/attention.h"

#include <cstdint>
#include <string>

namespace attnlab::differential {

struct Case {
    std::uint64_t seed = 1;
    std::int64_t number = 0; ///< the same seed and number give the same case on every machine
    AttentionProblem problem;
    std::string words;         ///< what was chosen
    std::uint64_t choices = 0; ///< random bits for what an engine has to choose: pieces, bins, instruction set
};

Case make_case(std::uint64_t seed, std::int64_t number);

/// B H L S max(E, Ev), of a problem as it is made; 0 where that cannot be told.
double size_of(const AttentionProblem& problem);

} // namespace attnlab::differential
