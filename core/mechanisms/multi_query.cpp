// Multi-head attention whose heads share one key and one value head.
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
    key_weight_input("Dk E"),
    value_weight_input("Dv Ev"),
    output_weight_input,
    query_bias_input,
    key_bias_input("E"),
    value_bias_input("Ev"),
    output_bias_input,
    output_gradient_input("B L Do | L Do"),
};

const Parameter parameters[] = {
    heads_parameter("4"), gradients_parameter(), similarity_parameter(), dropout_parameter(), dropout_seed_parameter(),
};

DotProductForm form(const ResolvedProblem& problem) { return multi_head_form(problem, 1); }

Trace run(const ResolvedProblem& problem, const RunControl& control) { return run_multi_head(problem, 1, control); }

} // namespace

Mechanism multi_query_mechanism() {
    return dot_product_mechanism(
        {.id = "multi_query",
         .place = 11,
         .title = ATTNLAB_TEXT("Multi-query"),
         .family = ATTNLAB_TEXT("Several heads"),
         .formula = "Concat(head_1 … head_h) W_o,  head_i = Attention(X W_q^i, C W_k, C W_v)",
         .help = ATTNLAB_TEXT("All heads read the same keys and values; only their queries differ. The cache that "
                              "decoding keeps shrinks by the number of heads."),
         .source = "Shazeer 2019, Fast Transformer Decoding",
         .inputs = inputs,
         .parameters = parameters,
         .run = run,
         .check_values = check_multi_head_gradient,
         .dot_product_form = form,
         .drawn = {R"(\begin{aligned} \mathrm{head}_h &= \mathrm{Attention}\left( X W_Q^{(h)},\; C\, W_K,\; C\, W_V)"
                   R"( \right) \\)"
                   R"( \mathrm{output} &= \mathrm{Concat}\left( \mathrm{head}_1, \ldots, \mathrm{head}_H \right) W_O)"
                   R"( \end{aligned})",
                   "head_h = Attention(X W_Q^(h), C W_K, C W_V), output = Concat(head_1, …, head_H) W_O"},
         .look_for = ATTNLAB_TEXT("All heads read the same keys and values, so only their queries tell them apart. "
                                  "The status bar says how much smaller the key/value cache becomes.")});
}

} // namespace attnlab
