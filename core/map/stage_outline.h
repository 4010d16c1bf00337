// The row of stages of a head whose matrices are too large to be stored.
#pragma once

#include "core/attention.h"
#include "core/stages/scale.h"

namespace attnlab {

/// The width of its heads (0 where the scores are no dot products of rows) and the number of keys. Zeros for a problem
/// with an error.
ScaleContext scale_context_of(const AttentionProblem& problem);

/// The steps from scores to weights with their operations and formulas, and without numbers: those of scaled
/// dot-product attention, which every map shows. An unknown scale or normaliser leaves its operation empty.
Trace stage_outline(const AttentionSpec& spec, const ScaleContext& context);

} // namespace attnlab
