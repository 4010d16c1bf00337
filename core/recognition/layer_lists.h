// Attention weights of several layers, saved as one array a layer: a tuple of attentions, attn_l0, attn_l1, ...
#pragma once

#include "core/recognition/contents.h"

#include <string>
#include <vector>

namespace attnlab {

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
/// "attentions.0".
std::vector<LayerList> layer_lists(const std::vector<HeldArray>& arrays);

/// (layers, B, H, L, S): the members concatenated, or a single one unchanged; with several steps, the rows of all of
/// them below each other, with weight 0 for keys that come later; file-backed numbers stay in their file.
Tensor stacked(const LayerList& list);

} // namespace attnlab
