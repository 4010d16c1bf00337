// Attention weights of several layers, saved as one array a layer: a tuple of attentions, attn_l0, attn_l1, ...
#pragma once

#include "core/recognition/contents.h"

#include <string>
#include <vector>

namespace attnlab {

/// Arrays of one file and shape whose names differ in a number, sorted by it.
struct LayerList {
    std::string prefix; ///< the common part of the names: "attentions."
    std::vector<const HeldArray*> members;
};

/// The lists of weights among arrays. A list needs two or more members with names that end in a number, one shape, and
/// rows that sum to 1; a single member needs a name of weights: "attentions.0".
std::vector<LayerList> layer_lists(const std::vector<HeldArray>& arrays);

/// (layers, B, H, L, S): the members concatenated, or a single one unchanged; file-backed numbers stay in their file.
Tensor stacked(const LayerList& list);

} // namespace attnlab
