// The common part of self-attention, causal self-attention and cross-attention.
#pragma once

#include "core/inputs.h"
#include "core/mechanisms.h"
#include "core/mechanisms/shared/dot_product_form.h"
#include "core/resolved_problem.h"

namespace attnlab {

Mechanism self_mechanism();
DotProductForm self_form(const ResolvedProblem& problem);
/// Queries are rows of x times w_q; keys and values are rows of `context` times w_k and w_v.
DotProductForm projected_form(const ResolvedProblem& problem, const Tensor& context);

} // namespace attnlab
