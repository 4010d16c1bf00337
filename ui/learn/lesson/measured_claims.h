// What a lesson has measured, in words.
#pragma once

#include "core/lab/scene.h"
#include "core/lessons/expression.h"

#include <QMap>
#include <QString>
#include <vector>

namespace attnlab::ui {

/// "Variance of the scores (no scale): 64.3; ..." for "variance(none.scores)": the values of a claim with few digits.
/// Two arrays are compared: "... and ... are equal in all 16 cells". Settings have the words beside their cards (by
/// id), else the titles of their cards, or their ids where titles are equal.
QString measuredValuesText(const std::vector<lessons::Measured>& measured, const lab::Scene& scene,
                           const QMap<QString, QString>& names = {});

} // namespace attnlab::ui
