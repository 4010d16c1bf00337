// Resizes one input and those whose sizes depend on it.
#pragma once

#include "core/attention.h"

#include <QString>

#include <map>
#include <string>

namespace attnlab::ui {

/// `tensor` at another size of the same rank, with contents kept and new cells zero, and all other inputs with the same
/// symbols in their declarations: a query of another E changes the key too. In a product ("num_heads*E"), the single
/// unknown factor follows if it is an integer. Token labels are cut to L and S. Where no declaration fits, only the
/// tensor itself changes.
AttentionProblem resized(const AttentionProblem& problem, const QString& tensor, const Shape& shape);

/// The shapes of all tensors after resized(), without allocating them.
std::map<std::string, Shape> resizedShapes(const AttentionProblem& problem, const QString& tensor, const Shape& shape);

/// Resizes only this tensor.
AttentionProblem resizedAlone(const AttentionProblem& problem, const QString& tensor, const Shape& shape);

} // namespace attnlab::ui
