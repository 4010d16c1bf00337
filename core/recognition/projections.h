// Converts attention weights saved by other programs to this program's w_q, b_q, ... w_o, b_o.
#pragma once

#include "core/recognition/array_names.h"
#include "core/tensor.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace attnlab {

/// An array of a layer and the meaning of its name.
struct LayerArray {
    std::string name; ///< as in the file, for messages
    ArrayName meaning;
    Tensor tensor;
};

/// Sizes that cannot be read off fused projections.
struct FusedSizes {
    std::optional<std::int64_t> num_heads;
    std::optional<std::int64_t> num_kv_heads;
    std::optional<std::int64_t> heads_width; ///< num_heads*E, from the layer's output projection
};

/// True for a fused projection whose parts follow neither from its shape nor from the sizes: it is split into three
/// equal parts.
bool guesses_thirds(const LayerArray& array, const FusedSizes& sizes);

/// True where splitting a fused projection requires the number of heads: it is interleaved by head, or its output is
/// not three times as wide as its input, so that heads share keys and values.
bool needs_heads(const LayerArray& array);

/// "w_q", "b_q", ... from one array, weights as (in, out): (D, num_heads*E). A fused one gives three. Throws Error that
/// names the array when its shape does not fit, and when num_heads is required but unknown.
std::map<std::string, Tensor> projections_of(const LayerArray& array, const FusedSizes& sizes);

/// The possible numbers of heads for a width: its divisors, smallest first.
std::vector<std::int64_t> divisors(std::int64_t width);

} // namespace attnlab
