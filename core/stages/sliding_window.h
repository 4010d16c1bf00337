// The sliding window of language models, expressed by the masks that it consists of.
#pragma once

#include "core/attention.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace attnlab {

/// A query reads itself and the n - 1 keys before it: j <= i and j > i - n, as `sliding_window` in Mistral's
/// configuration and as transformers.masking_utils.sliding_window_overlay on top of the causal mask. It is causal and a
/// window of the full width 2 n - 2.
std::vector<Selection> sliding_window(std::int64_t keys);

/// The n of the sliding window that is among these masks: causal with a window that reaches n - 1 keys to the left, as
/// a width or with any reach to the right. nullopt if there is none, or if a parameter is invalid.
std::optional<std::int64_t> sliding_window_of(std::span<const Selection> masks);

/// `masks` with the sliding window instead of their causal and window masks, or without these if `keys` is nullopt.
std::vector<Selection> with_sliding_window(std::vector<Selection> masks, std::optional<std::int64_t> keys);

/// True for the two masks that it consists of: causal and window.
bool is_of_sliding_window(std::string_view mask_id);

/// n, at least 1; 4 by default.
std::span<const Parameter> sliding_window_parameters();

/// Its name on the command line, beside the ids of masks.
inline constexpr std::string_view sliding_window_id = "sliding_window";

/// As parse_mask(), but "sliding_window:4" gives the masks of sliding_window(4). Throws Error.
std::vector<Selection> parse_masks(std::string_view text);

} // namespace attnlab
