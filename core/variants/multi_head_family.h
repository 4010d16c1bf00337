// What multi-head, multi-query and grouped-query attention share: projections, head split, concatenation.
#pragma once

#include "core/attention.h"
#include "core/inputs.h"
#include "core/variants/dot_product_form.h"

namespace attnlab {

/// Projections of x, context and value_context, cut into heads (query: num_heads, key and value: `key_value_heads`),
/// and their concatenation. `parameters` must be complete; those that are absent (dropout, add_zero_attn, ...) are off.
DotProductForm multi_head_form(const AttentionProblem& problem, const ParameterValues& parameters,
                               std::int64_t key_value_heads);

/// The exact pass of that form.
Trace run_multi_head(const AttentionProblem& problem, const ParameterValues& parameters, std::int64_t key_value_heads,
                     const RunControl& control);

/// Renames and transposes a torch.nn.MultiheadAttention state_dict (in_proj_weight, in_proj_bias, q_proj_weight,
/// k_proj_weight, v_proj_weight, out_proj.weight, out_proj.bias; torch keeps weights as (out, in)) into w_q .. b_o.
/// Throws Error when a shape is none of that module's or a weight is given under both names.
void adopt_torch_multi_head(TensorMap& tensors);

} // namespace attnlab
