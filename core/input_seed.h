// The seed of the random numbers that stand in for missing inputs.
#pragma once

#include <cstdint>

namespace attnlab {

/// Wherever the program completes inputs: is_drawn() recognises such numbers by it.
inline constexpr std::uint64_t input_seed = 1;

} // namespace attnlab
