// head_i = Attention(X W_q, C W_k, C W_v), output = Concat(head_1 .. head_h) W_o: torch.nn.MultiheadAttention.
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
    key_weight_input("Dk num_heads*E"),
    value_weight_input("Dv num_heads*Ev"),
    output_weight_input,
    query_bias_input,
    key_bias_input("num_heads*E"),
    value_bias_input("num_heads*Ev"),
    output_bias_input,
    {.name = "bias_k",
     .dims = "1 1 num_heads*E | num_heads*E",
     .fill = InputFill::Zeros,
     .required = false,
     .required_if = "add_bias_kv",
     .required_with = "bias_v",
     .help = ATTNLAB_TEXT("One more key, the same for every sequence")},
    {.name = "bias_v",
     .dims = "1 1 num_heads*Ev | num_heads*Ev",
     .fill = InputFill::Zeros,
     .required = false,
     .required_if = "add_bias_kv",
     .required_with = "bias_k",
     .help = ATTNLAB_TEXT("The value of that key")},
    output_gradient_input("B L Do | L Do"),
};

const Parameter parameters[] = {
    heads_parameter("2"),
    {.name = "add_bias_kv",
     .type = ParameterType::Boolean,
     .default_text = "false",
     .title = ATTNLAB_TEXT("add a learned key (bias_k)"),
     .help = ATTNLAB_TEXT("Appends the learned key bias_k and value bias_v, which no mask blocks")},
    {.name = "add_zero_attn",
     .type = ParameterType::Boolean,
     .default_text = "false",
     .title = ATTNLAB_TEXT("add a zero key"),
     .help = ATTNLAB_TEXT("Appends a key and value of zeros: somewhere to look when nothing fits")},
    gradients_parameter(),
    similarity_parameter(),
    dropout_parameter(),
    dropout_seed_parameter(),
    {.name = "need_weights",
     .type = ParameterType::Boolean,
     .default_text = "true",
     .title = ATTNLAB_TEXT("return weights"),
     .help = ATTNLAB_TEXT("Off: the result has no weights, only the output")},
    {.name = "average_attn_weights",
     .type = ParameterType::Boolean,
     .default_text = "true",
     .title = ATTNLAB_TEXT("average weights over heads"),
     .help = ATTNLAB_TEXT("Adds the mean of the weights over all heads")},
};

DotProductForm form(const ResolvedProblem& problem) {
    return multi_head_form(problem, problem.spec.parameters.integer("num_heads"));
}

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    return run_multi_head(problem, problem.spec.parameters.integer("num_heads"), control);
}

} // namespace

Mechanism multi_head_mechanism() {
    return dot_product_mechanism(
        {.id = "multi_head",
         .place = 10,
         .title = ATTNLAB_TEXT("Multi-head"),
         .family = ATTNLAB_TEXT("Several heads"),
         .formula = "Concat(head_1 … head_h) W_o,  head_i = Attention(X W_q, C W_k, C W_v)",
         .help = ATTNLAB_TEXT("Several small attentions side by side, each with its own projections, so that one token "
                              "can look at several things at once. The same as torch.nn.MultiheadAttention."),
         .source = "Vaswani et al. 2017, section 3.2.2; torch.nn.MultiheadAttention",
         .inputs = inputs,
         .parameters = parameters,
         .run = run,
         .adopt = adopt_torch_multi_head,
         .check_values = check_multi_head_gradient,
         .dot_product_form = form,
         .drawn = {R"(\begin{aligned} \mathrm{head}_h &= \mathrm{Attention}\left( X W_Q^{(h)},\, C W_K^{(h)},\, C)"
                   R"( W_V^{(h)} \right) \\)"
                   R"( \mathrm{output} &= \mathrm{Concat}\left( \mathrm{head}_1, \ldots, \mathrm{head}_H \right) W_O)"
                   R"( \end{aligned})",
                   "head_h = Attention(X W_Q^(h), C W_K^(h), C W_V^(h)), output = Concat(head_1, …, head_H) W_O"},
         .look_for =
             ATTNLAB_TEXT("Compare the heads with their mean: one head may look at the token before while another "
                          "looks at itself, and the mean shows neither. The concatenated heads are mixed by W_o.")});
}

} // namespace attnlab
