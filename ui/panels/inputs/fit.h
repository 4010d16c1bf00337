// Fits inputs to a mechanism that they no longer match.
#pragma once

#include "core/attention.h"

#include <QStringList>

#include <optional>

namespace attnlab::ui {

struct FittedInputs {
    AttentionProblem problem;
    QStringList remade;  ///< projections and biases of the mechanism, which are replaced
    QStringList made;    ///< missing inputs made of random numbers, each with its shape
    QStringList resized; ///< arrays of masks and positions, which are cropped or padded
};

/// For example for a new number of heads. nullopt where this would not help.
std::optional<FittedInputs> fittedInputs(const AttentionProblem& problem);

} // namespace attnlab::ui
