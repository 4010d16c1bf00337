// A way out where inputs do not fit the mechanism any more.
#pragma once

#include "core/attention.h"

#include <optional>
#include <string>
#include <vector>

namespace attnlab {

struct FittedInputs {
    AttentionProblem problem;
    std::vector<std::string> remade;  ///< projections and biases of the mechanism, which are new
    std::vector<std::string> made;    ///< inputs that were not given: random numbers
    std::vector<std::string> resized; ///< arrays of masks and positions, which are cut or extended
};

/// What another number of heads asks for, say. Nothing where that would not help.
std::optional<FittedInputs> fitted_inputs(const AttentionProblem& problem);

} // namespace attnlab
