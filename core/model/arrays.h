// What a model has computed, as named arrays.
#pragma once

#include "core/inputs.h"
#include "core/model/model.h"

#include <set>
#include <string>
#include <string_view>

namespace attnlab::model {

/// Names of what can be kept: "query", "key", "value", "weights", "hidden", "logits".
std::span<const std::string_view> kinds_of_arrays();

/// `decoder.3.self.weights` and so on, and the ids of the input. Weights are computed where they are read, a block of
/// rows at a time.
TensorMap arrays_of(const Result& result, const std::set<std::string, std::less<>>& kinds);

} // namespace attnlab::model
