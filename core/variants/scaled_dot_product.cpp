// Attention(Q, K, V) = softmax(Q Kᵀ / √d_k + M) V.
#include "core/stages/exact.h"
#include "core/variants/all.h"
#include "core/variants/projection.h"

namespace attnlab {
namespace {

const Input inputs[] = {
    {.name = "query",
     .dims = "B H L E | B L E | L E",
     .starts_from = "x",
     .help = ATTNLAB_TEXT("One row a query token: what it looks for")},
    {.name = "key",
     .dims = "B Hkv S E | B S E | S E",
     .starts_from = "context",
     .help = ATTNLAB_TEXT("One row a key token: what it is found by")},
    {.name = "value",
     .dims = "B Hkv S Ev | B S Ev | S Ev",
     .starts_from = "value_context",
     .help = ATTNLAB_TEXT("One row a key token: what it hands over")},
};

Trace run(const AttentionProblem& problem, const RunControl& control) {
    bind(problem);
    const auto& tensors = problem.tensors;
    ExactInputs exact;
    exact.query = with_heads(tensors.at("query"));
    exact.key = with_heads(tensors.at("key"));
    exact.value = with_heads(tensors.at("value"));
    return exact_attention(problem, exact, dot_product(), control);
}

} // namespace

Variant scaled_dot_product_variant() {
    return {.id = "scaled_dot_product",
            .title = ATTNLAB_TEXT("Scaled dot-product"),
            .family = ATTNLAB_TEXT("By score function"),
            .formula = "softmax(Q Kᵀ / √d_k + M) V",
            .help =
                ATTNLAB_TEXT("Every query is compared with every key by a dot product; softmax turns a row of scores "
                             "into weights, and the output is the weighted mean of the values."),
            .source = "Vaswani et al. 2017, Attention Is All You Need, section 3.2.1",
            .default_scale = "sqrt_dk",
            .inputs = inputs,
            .parameters = {},
            .run = run};
}

} // namespace attnlab
