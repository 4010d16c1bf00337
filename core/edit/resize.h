// Changing the size of one input and of those whose sizes hang together with it.
#pragma once

#include "core/attention.h"

#include <map>
#include <string>
#include <string_view>

namespace attnlab {

/// `tensor` at another size of the same rank, contents kept and new cells zero, and with it every other input that the
/// declarations give the same symbol: a query of another E takes the key along. Where a size is a product
/// ("num_heads*E"), its one unknown factor follows if it divides. Token labels are cut to L and S. Where no declaration
/// fits, only the tensor itself changes.
AttentionProblem resized(const AttentionProblem& problem, std::string_view tensor, const Shape& shape);

/// The shapes of all tensors after resized(), without making them.
std::map<std::string, Shape> resized_shapes(const AttentionProblem& problem, std::string_view tensor,
                                            const Shape& shape);

/// The same for this tensor alone.
AttentionProblem resized_alone(const AttentionProblem& problem, std::string_view tensor, const Shape& shape);

} // namespace attnlab
