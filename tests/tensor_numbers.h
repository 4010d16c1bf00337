#pragma once

#include "core/tensor.h"

namespace attnlab {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

} // namespace attnlab
