// Weights of attention layers as other programs save them, made into this program's w_q, b_q, ... w_o, b_o.
#pragma once

#include "core/recognition/array_names.h"
#include "core/tensor.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace attnlab {

/// The array of a layer and what its name says.
struct LayerArray {
    std::string name; ///< as the file has it, for messages
    ArrayName meaning;
    Tensor tensor;
};

/// Sizes that fused projections do not say themselves.
struct FusedSizes {
    std::optional<std::int64_t> num_heads;
    std::optional<std::int64_t> num_kv_heads;
    std::optional<std::int64_t> heads_width; ///< num_heads*E, as the output projection of the layer has it
};

/// True for a fused projection whose parts cannot be told from its shape, nor from the sizes: it is read as three equal
/// parts.
bool guesses_thirds(const LayerArray& array, const FusedSizes& sizes);

/// True where the split of a layer's fused projection takes the number of heads: it is interleaved by head, or what it
/// gives is not three times as wide as what it takes, so that heads share keys and values.
bool needs_heads(const LayerArray& array);

/// "w_q", "b_q", ... from one array, weights as (in, out): (D, num_heads*E). A fused one gives three. Throws Error that
/// names the array when its shape does not fit, and when num_heads is needed and absent.
std::map<std::string, Tensor> projections_of(const LayerArray& array, const FusedSizes& sizes);

/// The numbers of heads that can cut a width: its divisors, smallest first.
std::vector<std::int64_t> divisors(std::int64_t width);

} // namespace attnlab
