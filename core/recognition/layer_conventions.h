// What the layers of known models mean, where neither names nor shapes of single arrays say it.
#pragma once

#include "core/message.h"
#include "core/recognition/array_names.h"
#include "core/recognition/contents.h"
#include "core/tensor.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace attnlab {

/// How wide the tokens are that the weight of a query projection, fused or not, takes; nothing for other arrays.
std::optional<std::int64_t> token_width(const ArrayName& meaning, const Tensor& tensor);

/// T5 keeps relative_attention_bias in the first layer of a stack alone, and all its self-attentions add it: true where
/// the layers `owner` and `reader` (prefixes) share it so.
bool shares_relative_bias(std::string_view owner, std::string_view reader);

/// Gemma 2 and 3 store the gain of a norm without the 1 that is added to it: true where the layer `prefix` is theirs,
/// by the norms that lie beside it. Gemma 3n and 4 keep gains as they are.
bool stores_gain_without_one(std::string_view prefix, const Contents& contents);

/// What the scores of the layer `prefix` need beside its arrays: T5 does not divide them.
std::optional<Message> convention_of(std::string_view prefix);

} // namespace attnlab
