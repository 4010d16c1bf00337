// The double that marks masked scores.
#pragma once

#include <limits>

namespace attnlab {

/// A masked key's score is -infinity.
inline constexpr double infinity = std::numeric_limits<double>::infinity();

} // namespace attnlab
