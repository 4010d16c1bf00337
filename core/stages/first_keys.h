// Masks without a table of cells, for mechanisms that never make one: each row reads only its first keys.
#pragma once

#include "core/stages/mask.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace attnlab {

/// Query i of batch b may read the keys j < count[b L + i] with dropped[b S + j] false. The same for every head.
struct FirstKeys {
    std::vector<std::int64_t> count; ///< (B,L)
    std::vector<bool> dropped;       ///< (B,S)
};

/// The masks that can be expressed this way, alone or together.
inline constexpr std::string_view first_key_masks[] = {"causal", "prefix", "valid_lens", "key_padding"};

/// All masks of the spec combined, which must be first_key_masks. The mask fill does not matter. Throws Error for
/// invalid values of a mask's array.
FirstKeys first_keys(const ResolvedProblem& problem);

} // namespace attnlab
