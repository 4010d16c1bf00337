// The common part of multi-head, multi-query and grouped-query attention: projections, head split, concatenation.
#pragma once

#include "core/inputs.h"
#include "core/mechanisms/shared/dot_product_form.h"
#include "core/parameter.h"
#include "core/resolved_problem.h"

namespace attnlab {

inline constexpr Input token_input{.name = "x",
                                   .dims = "B L D | L D",
                                   .starts_from = "query",
                                   .help = ATTNLAB_TEXT("One row a token: its embedding; queries come from here")};
inline constexpr Input key_token_input{.name = "context",
                                       .dims = "B S Dk | S Dk",
                                       .required = false,
                                       .fallback = "x",
                                       .help = ATTNLAB_TEXT("Where keys come from, if not from x")};
inline constexpr Input value_token_input{.name = "value_context",
                                         .dims = "B S Dv | S Dv",
                                         .required = false,
                                         .fallback = "context",
                                         .help = ATTNLAB_TEXT("Where values come from, if not from the context")};
inline constexpr Input query_weight_input{.name = "w_q",
                                          .dims = "D num_heads*E",
                                          .fill = InputFill::Projection,
                                          .help = ATTNLAB_TEXT("Makes the queries of all heads side by side")};
inline constexpr Input output_weight_input{.name = "w_o",
                                           .dims = "num_heads*Ev Do",
                                           .fill = InputFill::Projection,
                                           .required = false,
                                           .help = ATTNLAB_TEXT("Mixes the concatenated heads")};
inline constexpr Input query_bias_input{.name = "b_q",
                                        .dims = "num_heads*E",
                                        .fill = InputFill::Zeros,
                                        .required = false,
                                        .help = ATTNLAB_TEXT("Bias of w_q")};
inline constexpr Input output_bias_input{
    .name = "b_o", .dims = "Do", .fill = InputFill::Zeros, .required = false, .help = ATTNLAB_TEXT("Bias of w_o")};
/// The weight for keys and values; the dims give the number of heads: "Dk num_heads*E".
constexpr Input key_weight_input(std::string_view dims) {
    return {.name = "w_k",
            .dims = dims,
            .fill = InputFill::Projection,
            .help = ATTNLAB_TEXT("Makes the keys of all heads side by side")};
}
constexpr Input value_weight_input(std::string_view dims) {
    return {.name = "w_v",
            .dims = dims,
            .fill = InputFill::Projection,
            .help = ATTNLAB_TEXT("Makes the values of all heads side by side")};
}
constexpr Input key_bias_input(std::string_view dims) {
    return {
        .name = "b_k", .dims = dims, .fill = InputFill::Zeros, .required = false, .help = ATTNLAB_TEXT("Bias of w_k")};
}
constexpr Input value_bias_input(std::string_view dims) {
    return {
        .name = "b_v", .dims = dims, .fill = InputFill::Zeros, .required = false, .help = ATTNLAB_TEXT("Bias of w_v")};
}

constexpr Parameter heads_parameter(std::string_view default_text) {
    return {.name = "num_heads",
            .type = ParameterType::Integer,
            .default_text = default_text,
            .title = ATTNLAB_TEXT("heads"),
            .help = ATTNLAB_TEXT("How many heads look at the tokens side by side"),
            .minimum = 1,
            .maximum = 4096,
            .unit = "heads"};
}

/// Projections of x, context and value_context, split into heads (query: num_heads, key and value: `key_value_heads`),
/// and their concatenation. Parameters that the mechanism lacks (add_zero_attn, ...) are off.
DotProductForm multi_head_form(const ResolvedProblem& problem, std::int64_t key_value_heads);

/// The numbers that a token leaves in the cache, and those that it would with a key and a value for each head.
Note cache_note(std::int64_t heads, std::int64_t numbers, std::int64_t of_all_heads);

/// Throws Error where grad_output is not as large as the output (B,L,Do).
void check_multi_head_gradient(const ResolvedProblem& problem);

/// The exact pass of that form.
Trace run_multi_head(const ResolvedProblem& problem, std::int64_t key_value_heads, const RunControl& control);

/// Renames and transposes a torch.nn.MultiheadAttention state_dict (in_proj_weight, in_proj_bias, q_proj_weight,
/// k_proj_weight, v_proj_weight, out_proj.weight, out_proj.bias; torch stores weights as (out, in)) into w_q .. b_o.
/// Throws Error for a shape that the module does not have, or a weight under both names.
void adopt_torch_multi_head(TensorMap& tensors);

} // namespace attnlab
