// Changing the size of one input and of those whose sizes hang together with it.
#pragma once

#include "core/attention.h"

#include <QString>

#include <map>
#include <string>

namespace attnlab::ui {

/// `tensor` at another size of the same rank, contents kept and new cells zero, and with it every other input that the
/// declarations give the same symbol: a query of another E takes the key along. Where a size is a product
/// ("num_heads*E"), its one unknown factor follows if it divides. Token labels are cut to L and S. Where no declaration
/// fits, only the tensor itself changes.
AttentionProblem resized(const AttentionProblem& problem, const QString& tensor, const Shape& shape);

/// The shapes of all tensors after resized(), without making them.
std::map<std::string, Shape> resizedShapes(const AttentionProblem& problem, const QString& tensor, const Shape& shape);

/// The same for this tensor alone.
AttentionProblem resizedAlone(const AttentionProblem& problem, const QString& tensor, const Shape& shape);

} // namespace attnlab::ui
