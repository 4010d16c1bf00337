// Numbers of unknown magnitude: errors, ratios, factors.
#pragma once

#include <QString>

namespace attnlab::ui {

/// `digits` digits from the first nonzero one: "0.00123", "0.250", "12.3"; scientific where that would be long.
/// (numberText keeps a constant number of decimals instead, for columns of numbers.)
QString significantText(double value, int digits = 3);

/// numberText with `digits`, and with more where that would have fewer than three that count, or be a whole number that
/// the value is not: 0.00055 rather than 0.0006, 0.99996 rather than 1.0000. For steps of a calculation.
QString tellingText(double value, int digits);

} // namespace attnlab::ui
