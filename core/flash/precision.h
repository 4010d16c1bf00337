// What the products of attention in tiles are computed in.
#pragma once

#include <span>
#include <string_view>

namespace attnlab::flash {

enum class Precision {
    Float32,
    Split,    ///< on a matrix unit (matrix_unit.h) scores are off by about 2^-16 of |q| |k|; float32 without one
    BFloat16, ///< queries, keys and values are rounded to bfloat16, and on a matrix unit the weights, too
};

/// "float32", "split", "bfloat16"
std::string_view name_of(Precision precision);

/// To the nearest, ties to even; NaN and infinities stay.
void round_to_bfloat16(std::span<float> numbers);

} // namespace attnlab::flash
