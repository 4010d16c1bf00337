// Fits inputs to a mechanism that they no longer match.
#pragma once

#include "core/attention.h"

#include <optional>
#include <string>
#include <vector>

namespace attnlab {

struct FittedInputs {
    AttentionProblem problem;
    std::vector<std::string> remade;  ///< projections and biases of the mechanism, which are replaced
    std::vector<std::string> made;    ///< missing inputs, made of random numbers
    std::vector<std::string> resized; ///< arrays of masks and positions, which are cropped or padded
};

/// The inputs fitted to changed settings, for example to a new number of heads. nullopt where this would not help.
/// Throws Cancelled.
std::optional<FittedInputs> fitted_inputs(const AttentionProblem& problem, const RunControl& control = {});

} // namespace attnlab
