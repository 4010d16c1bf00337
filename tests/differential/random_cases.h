// Random problems of every kind: sizes, masks, fills, biases, scales, positions, magnitudes.
#pragma once

#include "core/attention.h"

#include <cstdint>
#include <string>

namespace attnlab::differential {

struct Sizes {
    std::int64_t B = 1, H = 1, Hkv = 1, L = 1, S = 1, E = 1, Ev = 1;
};

struct Case {
    std::uint64_t seed = 1;
    std::int64_t number = 0; ///< the same seed and number give the same case on every machine
    AttentionProblem problem;
    Sizes sizes;
    std::string words;         ///< description of the choices
    std::uint64_t choices = 0; ///< random bits for choices of an engine: pieces, bins, instruction set
};

Case make_case(std::uint64_t seed, std::int64_t number);

/// B H L S max(E, Ev) of a complete problem; 0 if unknown.
double size_of(const AttentionProblem& problem);

} // namespace attnlab::differential
