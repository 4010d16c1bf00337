// Conventions of the layers of known models that names and shapes do not reveal, and lists of arrays with one per
// layer.
#pragma once

#include "core/message.h"
#include "core/recognition/array_names.h"
#include "core/recognition/recognition.h"
#include "core/tensor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// Attention weights of several layers, saved as one array a layer: a tuple of attentions, attn_l0, attn_l1, ...

/// Arrays of one file and shape whose names differ in a number, sorted by it. Of generate(), whose names have the step
/// before the layer ("0.0", "0.1", "1.0", ...), those of all steps, step by step.
struct LayerList {
    std::string prefix; ///< the common part of the names: "attentions."
    std::vector<const HeldArray*> members;
    std::size_t steps = 1; ///< of generate(): the prompt, then one generated token each

    std::size_t layers() const { return members.size() / steps; }
};

/// The lists of weights among arrays. A list needs two or more members with names that end in a number, one shape, and
/// rows that sum to 1. Lists are the steps of one where the first has the rows of the prompt, and each later one has
/// one row, over a key more (self-attention) or as many (cross-attention). A single member needs a name of weights:
/// "attentions.0". `control` may be null. Throws Cancelled.
std::vector<LayerList> layer_lists(const std::vector<HeldArray>& arrays, const RunControl* control);

/// (layers, B, H, L, S): the members concatenated, or a single one unchanged; with several steps, the rows of all of
/// them below each other, with weight 0 for keys that come later; file-backed numbers stay in their file.
Tensor stacked(const LayerList& list);

} // namespace attnlab
