// Self-attention's inputs and run, which causal self-attention shares.
#pragma once

#include "core/attention.h"
#include "core/inputs.h"
#include "core/variants/dot_product_form.h"

#include <span>

namespace attnlab {

std::span<const Input> self_inputs();
/// The problem must have passed bind().
DotProductForm self_form(const AttentionProblem& problem);

} // namespace attnlab
