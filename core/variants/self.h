// The common part of self-attention, causal self-attention and cross-attention.
#pragma once

#include "core/inputs.h"
#include "core/resolved_problem.h"
#include "core/variants.h"
#include "core/variants/shared/dot_product_form.h"

namespace attnlab {

Variant self_variant();
DotProductForm self_form(const ResolvedProblem& problem);
/// Queries are rows of x times w_q; keys and values are rows of `context` times w_k and w_v.
DotProductForm projected_form(const ResolvedProblem& problem, const Tensor& context);

} // namespace attnlab
