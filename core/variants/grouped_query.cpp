// Multi-head attention in which groups of query heads share a key and value head.
#include "core/variants/all.h"
#include "core/variants/multi_head_family.h"

namespace attnlab {
namespace {

const Input inputs[] = {
    {.name = "x",
     .dims = "B L D | L D",
     .starts_from = "query",
     .help = ATTNLAB_TEXT("One row a token: its embedding; queries come from here")},
    {.name = "context",
     .dims = "B S Dk | S Dk",
     .required = false,
     .fallback = "x",
     .help = ATTNLAB_TEXT("Where keys come from, if not from x")},
    {.name = "value_context",
     .dims = "B S Dv | S Dv",
     .required = false,
     .fallback = "context",
     .help = ATTNLAB_TEXT("Where values come from, if not from the context")},
    {.name = "w_q",
     .dims = "D num_heads*E",
     .fill = InputFill::Projection,
     .help = ATTNLAB_TEXT("Makes the queries of all heads side by side")},
    {.name = "w_k",
     .dims = "Dk num_kv_heads*E",
     .fill = InputFill::Projection,
     .help = ATTNLAB_TEXT("Makes the keys of all heads side by side")},
    {.name = "w_v",
     .dims = "Dv num_kv_heads*Ev",
     .fill = InputFill::Projection,
     .help = ATTNLAB_TEXT("Makes the values of all heads side by side")},
    {.name = "w_o",
     .dims = "num_heads*Ev Do",
     .fill = InputFill::Projection,
     .required = false,
     .help = ATTNLAB_TEXT("Mixes the concatenated heads")},
    {.name = "b_q",
     .dims = "num_heads*E",
     .fill = InputFill::Zeros,
     .required = false,
     .help = ATTNLAB_TEXT("Bias of w_q")},
    {.name = "b_k",
     .dims = "num_kv_heads*E",
     .fill = InputFill::Zeros,
     .required = false,
     .help = ATTNLAB_TEXT("Bias of w_k")},
    {.name = "b_v",
     .dims = "num_kv_heads*Ev",
     .fill = InputFill::Zeros,
     .required = false,
     .help = ATTNLAB_TEXT("Bias of w_v")},
    {.name = "b_o", .dims = "Do", .fill = InputFill::Zeros, .required = false, .help = ATTNLAB_TEXT("Bias of w_o")},
};

const Parameter parameters[] = {
    {.name = "num_heads",
     .type = ParameterType::Integer,
     .default_text = "4",
     .title = ATTNLAB_TEXT("heads"),
     .help = ATTNLAB_TEXT("How many heads look at the tokens side by side"),
     .minimum = 1,
     .maximum = 4096,
     .unit = "heads"},
    {.name = "num_kv_heads",
     .type = ParameterType::Integer,
     .default_text = "2",
     .title = ATTNLAB_TEXT("key/value heads"),
     .help = ATTNLAB_TEXT("How many key and value heads the query heads share; divides the number of heads"),
     .minimum = 1,
     .maximum = 4096,
     .unit = "heads"},
};

void check(const AttentionSpec& spec) {
    const auto heads = spec.parameters.integer("num_heads");
    const auto shared = spec.parameters.integer("num_kv_heads");
    if (heads % shared != 0)
        throw Error({ATTNLAB_TEXT("grouped_query: parameter num_kv_heads is %1, expected a divisor of num_heads = %2"),
                     {std::to_string(shared), std::to_string(heads)}});
}

DotProductForm form(const AttentionProblem& problem) {
    const auto values = with_defaults(parameters, problem.spec.parameters, "grouped_query");
    return multi_head_form(problem, values, values.integer("num_kv_heads"));
}

Trace run(const AttentionProblem& problem, const RunControl& control) {
    const auto values = with_defaults(parameters, problem.spec.parameters, "grouped_query");
    return run_multi_head(problem, values, values.integer("num_kv_heads"), control);
}

} // namespace

Variant grouped_query_variant() {
    return {
        .id = "grouped_query",
        .title = ATTNLAB_TEXT("Grouped-query"),
        .family = ATTNLAB_TEXT("Several heads"),
        .formula = "Concat(head_1 … head_h) W_o,  head_i = Attention(X W_q^i, C W_k^g(i), C W_v^g(i))",
        .help = ATTNLAB_TEXT("Between multi-head and multi-query: groups of query heads share a key and value head, "
                             "which keeps most of the quality at a fraction of the cache."),
        .source = "Ainslie et al. 2023, GQA",
        .default_scale = "sqrt_dk",
        .inputs = inputs,
        .parameters = parameters,
        .run = run,
        .check = check,
        .dot_product_form = form,
        .look_for =
            ATTNLAB_TEXT("Heads of one group share keys and values. Set the key/value heads to 1 and it is "
                         "multi-query, to the number of heads and it is multi-head: follow the size of the cache.")};
}

} // namespace attnlab
