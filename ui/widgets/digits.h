// Numbers whose size is unknown beforehand: errors, ratios, factors.
#pragma once

#include <QString>

namespace attnlab::ui {

/// As many digits as asked for from the first that is not 0: "0.00123", "0.250", "12.3"; scientific where that would be
/// long. (numberText keeps a steady number of decimals instead, as columns of numbers need.)
QString significantText(double value, int digits = 3);

} // namespace attnlab::ui
