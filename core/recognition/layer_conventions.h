// Conventions of the layers of known models that neither names nor shapes of single arrays reveal.
#pragma once

#include "core/message.h"
#include "core/recognition/array_names.h"
#include "core/recognition/contents.h"
#include "core/tensor.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace attnlab {

/// The width of the tokens that a weight of a query projection, fused or not, takes; nullopt for other arrays.
std::optional<std::int64_t> token_width(const ArrayName& meaning, const Tensor& tensor);

/// T5 keeps relative_attention_bias only in the first layer of a stack, and all its self-attentions add it: true where
/// the layers `owner` and `reader` (prefixes) share it this way.
bool shares_relative_bias(std::string_view owner, std::string_view reader);

/// Gemma 2 and 3 store the gain of a norm without the 1 that is added to it: true for a layer `prefix` of these,
/// recognised by its norms. Gemma 3n and 4 store plain gains.
bool stores_gain_without_one(std::string_view prefix, const Contents& contents);

/// A convention for the scores of the layer `prefix` beyond its arrays: T5 does not divide them.
std::optional<Message> convention_of(std::string_view prefix);

} // namespace attnlab
