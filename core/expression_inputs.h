// The arrays that the expressions of a setting read: its masks and score_mod. Implemented with the mask that is an
// expression, in core/stages/expression_mask.cpp.
#pragma once

#include "core/attention.h"
#include "core/inputs.h"

#include <vector>

namespace attnlab {

/// As inputs of shapes that fit their indices. Any shape with enough elements is accepted. Expressions that are wrong
/// have none.
std::vector<Input> expression_inputs(const AttentionSpec& spec);

} // namespace attnlab
