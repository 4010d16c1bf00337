// Adds comparisons with exact attention to a mechanism that approximates it: the exact weights, the difference, error
// and cost.
#pragma once

#include "core/attention.h"
#include "core/stages/exact.h"

namespace attnlab {

/// The cost of one forward pass. An operation is one multiplication, addition or exponential; bytes are those of
/// float32 intermediate results (scores, features, projections), without inputs and outputs.
struct Cost {
    double operations = 0.0;
    double bytes = 0.0;
};

/// L x S dot products, exponentials and mixing of values for every batch and head; scores and weights share memory. B H
/// L S (2 E + 2 Ev + 3) operations (score and mix: a multiplication and an addition a feature; scale, exponential,
/// normalisation), 4 B H L S bytes.
Cost exact_cost(const ExactInputs& inputs);

/// Adds the measures `operations` and `bytes`.
void add_cost(Trace& trace, const Cost& own, const Cost& exact);

/// Adds to the trace of an approximation the results of exact attention on the same query, key and value:
/// exact_weights, exact_output, `difference` = trace's `weights_stage` - exact_weights (where it has that stage,
/// (B,H,L,S)) and `output_error` (B,H,L), the norm of each row's error; and the measures output_error (Frobenius norm
/// of the error over that of the exact output), output_max_error and, with a difference, weights_max_error. `trace`
/// must have `output`. `problem` gives scale and masks. Throws Error, Cancelled.
void add_exact(Trace& trace, const ResolvedProblem& problem, const ExactInputs& inputs, const ScoreFunction& score,
               std::string_view weights_stage, const RunControl& control);

} // namespace attnlab
