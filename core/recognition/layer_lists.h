// Weights of several layers, saved as one array a layer: a tuple of attentions, attn_l0, attn_l1, ...
#pragma once

#include "core/recognition/contents.h"

#include <string>
#include <vector>

namespace attnlab {

/// Arrays of one file and shape whose names differ in a number, in the order of these numbers.
struct LayerList {
    std::string prefix; ///< what the names have in common: "attentions."
    std::vector<const HeldArray*> members;
};

/// The lists of weights among arrays. A list needs two members or more whose names end in a number, one shape and rows
/// that sum to 1; a single one has to be called as weights are: "attentions.0".
std::vector<LayerList> layer_lists(const std::vector<HeldArray>& arrays);

/// (layers, B, H, L, S): the members one after the other, or a single one as it is; numbers that lie in a file stay
/// there.
Tensor stacked(const LayerList& list);

} // namespace attnlab
