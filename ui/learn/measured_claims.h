// What a lesson has measured, in words.
#pragma once

#include "core/lab/scene.h"
#include "core/lessons/expression.h"

#include <QString>
#include <vector>

namespace attnlab::ui {

/// "Variance of the scores (no scale): 64.3; ..." for "variance(none.scores)": the values of a claim with few digits.
/// Settings have the titles of their cards, or their ids where titles are equal.
QString measuredValuesText(const std::vector<lessons::Measured>& measured, const lab::Scene& scene);

} // namespace attnlab::ui
