// Round steps for numbering.
#pragma once

#include <cstdint>

namespace attnlab::ui {

/// The smallest of 1, 2 and 5 times a power of ten that is at least `least`, which must be positive.
double roundStep(double least);
/// The same for integers: 1 to 10^9.
std::int64_t wholeRoundStep(double least);

} // namespace attnlab::ui
