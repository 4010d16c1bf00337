// A way out where inputs do not fit the mechanism any more.
#pragma once

#include "core/attention.h"

#include <QStringList>

#include <optional>

namespace attnlab::ui {

struct FittedInputs {
    AttentionProblem problem;
    QStringList remade;  ///< projections and biases of the mechanism, which are new
    QStringList made;    ///< inputs that nobody gave: made up of random numbers, each with its shape
    QStringList resized; ///< arrays of masks and positions, which are cut or extended
};

/// What another number of heads asks for, say. Nothing where that would not help.
std::optional<FittedInputs> fittedInputs(const AttentionProblem& problem);

} // namespace attnlab::ui
