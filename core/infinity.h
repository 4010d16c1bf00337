#pragma once

#include <limits>

namespace attnlab {

/// -infinity is the score of a key that is not seen.
inline constexpr double infinity = std::numeric_limits<double>::infinity();

} // namespace attnlab
