// The contribution of each file of this folder to the table in core/variants.cpp.
#pragma once

#include "core/variants.h"

namespace attnlab {

Variant scaled_dot_product_variant();
Variant bilinear_variant();
Variant additive_variant();
Variant concat_variant();
Variant vector_sum_variant();
Variant gaussian_kernel_variant();
Variant self_variant();
Variant causal_variant();
Variant cross_variant();
Variant multi_head_variant();
Variant multi_query_variant();
Variant grouped_query_variant();
Variant flash_variant();
Variant paged_variant();
Variant longformer_variant();
Variant linformer_variant();
Variant performer_variant();
Variant reformer_variant();
Variant transformer_variant();
Variant global_context_variant();
Variant hierarchical_context_variant();
Variant dynamic_context_variant();
Variant given_weights_variant();

} // namespace attnlab
