// Numbers of unknown magnitude: errors, ratios, factors.
#pragma once

#include <QString>

namespace attnlab::ui {

/// `digits` digits from the first nonzero one: "0.00123", "0.250", "12.3"; scientific where that would be long.
/// (numberText keeps a constant number of decimals instead, for columns of numbers.)
QString significantText(double value, int digits = 3);

/// numberText with `digits`, and with more where a share would be shown as 1 that is less: 0.9995 rather than 1.000.
QString shareText(double value, int digits);
/// The same share in percent, as lessons and notes write it in every language: "16.7%".
QString percentText(double share, int digits = 3);
/// How far a computation is, in whole percent: "43%", and "99%" until it is done.
QString progressText(double fraction);
/// shareText, and with more digits where rounding would change it by more than half a thousandth: 0.00055 rather than
/// 0.0006. For steps of a calculation.
QString tellingText(double value, int digits);

} // namespace attnlab::ui
