// What self-attention, causal self-attention and cross-attention share.
#pragma once

#include "core/attention.h"
#include "core/inputs.h"
#include "core/variants/dot_product_form.h"

#include <span>

namespace attnlab {

std::span<const Input> self_inputs();
/// The problem must have passed bind().
DotProductForm self_form(const AttentionProblem& problem);
/// Queries are rows of x times w_q, keys and values rows of `context` times w_k and w_v.
DotProductForm projected_form(const AttentionProblem& problem, const Tensor& context);

} // namespace attnlab
