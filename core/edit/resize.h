// Resizes one input and those whose sizes depend on it.
#pragma once

#include "core/attention.h"

#include <map>
#include <string>
#include <string_view>

namespace attnlab {

/// `tensor` at another size of the same rank, with contents kept and new cells zero, and all other inputs with the same
/// symbols in their declarations: a query of another E changes the key too. In a product ("num_heads*E"), the single
/// unknown factor follows if it is an integer. Token labels are cut to L and S. Where no declaration fits, only the
/// tensor itself changes.
AttentionProblem resized(const AttentionProblem& problem, std::string_view tensor, const Shape& shape);

/// The shapes of all tensors after resized(), without allocating them.
std::map<std::string, Shape> resized_shapes(const AttentionProblem& problem, std::string_view tensor,
                                            const Shape& shape);

/// Resizes only this tensor.
AttentionProblem resized_alone(const AttentionProblem& problem, std::string_view tensor, const Shape& shape);

} // namespace attnlab
