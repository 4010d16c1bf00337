// Attention with two numbers in a row, so that queries, keys and values are arrows in a plane.
#pragma once

#include "core/lab/scene.h"

#include <optional>
#include <string_view>

namespace attnlab::lab {

inline constexpr std::int64_t most_arrow_keys = 8; ///< as many as have a colour of their own
inline constexpr std::int64_t most_arrow_queries = 4;

/// Why a trace cannot be drawn as arrows; nullopt: it can. It needs query (L,2), key (S,2), value (S,2), the weights
/// and the output of one head of one batch.
std::optional<Message> why_no_arrows(const Trace& trace);

/// A scene in which row `row` of the input `name` (query, key or value) is moved to (x, y); with `all`, the other rows
/// go as far. What moves becomes multiples of 0.1 within -reach .. reach, all rows by the same. Inputs of a setting's
/// own are not moved. Unchanged where the scene has no such row of two numbers.
Scene with_moved_arrow(Scene scene, std::string_view name, std::int64_t row, double x, double y, double reach,
                       bool all = false);

} // namespace attnlab::lab
