// Multi-head attention whose heads share one key and one value head.
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
     .dims = "Dk E",
     .fill = InputFill::Projection,
     .help = ATTNLAB_TEXT("Makes the keys of all heads side by side")},
    {.name = "w_v",
     .dims = "Dv Ev",
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
    {.name = "b_k", .dims = "E", .fill = InputFill::Zeros, .required = false, .help = ATTNLAB_TEXT("Bias of w_k")},
    {.name = "b_v", .dims = "Ev", .fill = InputFill::Zeros, .required = false, .help = ATTNLAB_TEXT("Bias of w_v")},
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
};

DotProductForm form(const AttentionProblem& problem) {
    const auto values = with_defaults(parameters, problem.spec.parameters, "multi_query");
    return multi_head_form(problem, values, 1);
}

Trace run(const AttentionProblem& problem, const RunControl& control) {
    return run_multi_head(problem, with_defaults(parameters, problem.spec.parameters, "multi_query"), 1, control);
}

} // namespace

Variant multi_query_variant() {
    return {.id = "multi_query",
            .title = ATTNLAB_TEXT("Multi-query"),
            .family = ATTNLAB_TEXT("Several heads"),
            .formula = "Concat(head_1 … head_h) W_o,  head_i = Attention(X W_q^i, C W_k, C W_v)",
            .help = ATTNLAB_TEXT("All heads read the same keys and values; only their queries differ. The cache that "
                                 "decoding keeps shrinks by the number of heads."),
            .source = "Shazeer 2019, Fast Transformer Decoding",
            .default_scale = "sqrt_dk",
            .inputs = inputs,
            .parameters = parameters,
            .run = run,
            .dot_product_form = form,
            .look_for = ATTNLAB_TEXT("All heads read the same keys and values, so only their queries tell them apart. "
                                     "The status bar says how much smaller the key/value cache becomes.")};
}

} // namespace attnlab
