// Compares numbers with those of the reference, within Bounds.
#pragma once

#include "tests/differential/bounds.h"

#include <cmath>
#include <functional>
#include <sstream>
#include <string>

namespace attnlab::differential {

/// Empty where they agree: both NaN, the same infinity, or within the tolerance.
inline std::string difference(const char* what, std::initializer_list<std::int64_t> index, double got, double expected,
                              double allowed) {
    if ((std::isnan(got) && std::isnan(expected)) || got == expected || std::abs(got - expected) <= allowed)
        return {};
    std::ostringstream words;
    words.precision(9);
    words << what << " (";
    for (const auto* at = index.begin(); at != index.end(); ++at)
        words << (at == index.begin() ? "" : ", ") << *at;
    words << ") is " << got << ", expected " << expected << " within " << allowed;
    return words.str();
}

/// Compares lse and output (before a projection) of a tiled trace; returns the first difference.
std::string difference(const Bounds& bounds, const Trace& got);

/// Compares the output of a mechanism with an output projection.
std::string difference_of_projection(const AttentionProblem& problem, const Bounds& bounds, const Trace& reference,
                                     const Trace& got);

} // namespace attnlab::differential
