// Multi-head attention in which groups of query heads share a key and value head.
#include "core/mechanisms/shared/by_score.h"
#include "core/mechanisms/shared/multi_head_family.h"
#include "core/stages/gradients.h"
#include "core/stages/similarity.h"
#include "core/stages/softmax.h"

namespace attnlab {
namespace {

const Input inputs[] = {
    token_input,
    key_token_input,
    value_token_input,
    query_weight_input,
    key_weight_input("Dk num_kv_heads*E"),
    value_weight_input("Dv num_kv_heads*Ev"),
    output_weight_input,
    query_bias_input,
    key_bias_input("num_kv_heads*E"),
    value_bias_input("num_kv_heads*Ev"),
    output_bias_input,
    output_gradient_input("B L Do | L Do"),
};

const Parameter parameters[] = {
    heads_parameter("4"),
    {.name = "num_kv_heads",
     .type = ParameterType::Integer,
     .default_text = "2",
     .title = ATTNLAB_TEXT("key/value heads"),
     .help = ATTNLAB_TEXT("How many key and value heads the query heads share; divides the number of heads"),
     .minimum = 1,
     .maximum = 4096,
     .unit = "heads"},
    gradients_parameter(),
    similarity_parameter(),
    dropout_parameter(),
    dropout_seed_parameter(),
};

void check(const AttentionSpec& spec) {
    const auto heads = spec.parameters.integer("num_heads");
    const auto shared = spec.parameters.integer("num_kv_heads");
    if (heads % shared != 0)
        throw Error({ATTNLAB_TEXT("grouped_query: parameter num_kv_heads is %1, expected a divisor of num_heads = %2"),
                     {std::to_string(shared), std::to_string(heads)}});
}

DotProductForm form(const ResolvedProblem& problem) {
    return multi_head_form(problem, problem.spec.parameters.integer("num_kv_heads"));
}

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    return run_multi_head(problem, problem.spec.parameters.integer("num_kv_heads"), control);
}

} // namespace

Mechanism grouped_query_mechanism() {
    return dot_product_mechanism(
        {.id = "grouped_query",
         .place = 12,
         .title = ATTNLAB_TEXT("Grouped-query"),
         .family = ATTNLAB_TEXT("Several heads"),
         .formula = "Concat(head_1 … head_h) W_o,  head_i = Attention(X W_q^i, C W_k^g(i), C W_v^g(i))",
         .help = ATTNLAB_TEXT("Between multi-head and multi-query: groups of query heads share a key and value head. "
                              "This keeps most of the quality at a fraction of the cache."),
         .source = "Ainslie et al. 2023, GQA",
         .inputs = inputs,
         .parameters = parameters,
         .run = run,
         .check_values = check_multi_head_gradient,
         .check = check,
         .dot_product_form = form,
         .drawn =
             {R"(\begin{aligned} \mathrm{head}_h &= \mathrm{Attention}\left( X W_Q^{(h)},\, C W_K^{(g)},\, C)"
              R"( W_V^{(g)} \right) \\)"
              R"( \mathrm{output} &= \mathrm{Concat}\left( \mathrm{head}_1, \ldots, \mathrm{head}_H \right) W_O \\)"
              R"( g &= \left\lfloor h \, / \, (H / H_{kv}) \right\rfloor \end{aligned})",
              "head_h = Attention(X W_Q^(h), C W_K^(g), C W_V^(g)) with g = ⌊h / (H / H_kv)⌋, output = "
              "Concat(head_1, …, head_H) W_O"},
         .look_for =
             ATTNLAB_TEXT("Heads of one group share keys and values. Set the key/value heads to 1 and it is "
                          "multi-query, to the number of heads and it is multi-head: follow the size of the cache.")});
}

} // namespace attnlab
