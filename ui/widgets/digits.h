// Numbers of unknown magnitude: errors, ratios, factors.
#pragma once

#include <QString>

namespace attnlab::ui {

/// `digits` digits from the first nonzero one: "0.00123", "0.250", "12.3"; scientific where that would be long.
/// (numberText keeps a constant number of decimals instead, for columns of numbers.)
QString significantText(double value, int digits = 3);

} // namespace attnlab::ui
