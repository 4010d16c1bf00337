// Grades a stage that a student handed in: which cells are wrong, and which known mistake gives the whole matrix.
#pragma once

#include "core/attention.h"
#include "core/verify/array_comparison.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::verify {

/// A mistake that gives every cell as handed in, within the tolerance.
struct Explanation {
    std::string id; ///< of mistakes(); "transposed", "rounded", "large_negative", or the id of a NanCause
    Message words;
    double largest = 0.0; ///< the largest |given - result of the mistake|
};

struct Grade {
    std::int64_t cells = 0;     ///< of the stage, or of the one matrix
    std::int64_t differing = 0; ///< cells beyond the tolerance
    std::vector<bool> is_wrong; ///< for each cell, row by row; empty for a misfit
    std::optional<Place> first; ///< the first of these, row by row
    Tensor given;               ///< the hand-in with the shape of the stage; shape (0) for a misfit
    /// The largest |given - exact| over cells that are finite in both; NaN if there are none.
    double largest = 0.0;
    std::vector<Explanation> explanations; ///< the nearest first; empty for a right matrix
    std::optional<Message> misfit;         ///< why the shape does not fit; no cell was compared
    std::optional<Message> not_looked;     ///< why no known mistake was tried

    bool is_right() const { return !misfit && differing == 0; }
};

/// Grades `handed_in`, called `name`, as the stage `stage` of `exact`, the trace of `problem`. Axes fit by fitted(). A
/// cell is right if |given - exact| <= T + T |exact| with T = `tolerance`, or if both are the same infinity or NaN.
/// With `matrix`, the hand-in is that matrix of the stage alone, such as one head: its numbers are those from
/// matrix * handed_in.size() on, and the others count as right. Throws Cancelled.
Grade grade(const AttentionProblem& problem, const Trace& exact, std::string_view stage, const Tensor& handed_in,
            std::string_view name, double tolerance, const RunControl& control = {},
            std::optional<std::int64_t> matrix = std::nullopt);

} // namespace attnlab::verify
