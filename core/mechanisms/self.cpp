// Q = X W_q, K = X W_k, V = X W_v: every token reads all tokens of its own sequence.
#include "core/mechanisms/self.h"
#include "core/mechanisms/shared/by_score.h"

namespace attnlab {
namespace {

const Input inputs[] = {
    {.name = "x",
     .dims = "B L D | L D",
     .starts_from = "query",
     .help = ATTNLAB_TEXT("One row a token: its embedding")},
    {.name = "w_q",
     .dims = "D E",
     .fill = InputFill::Projection,
     .help = ATTNLAB_TEXT("Makes queries from embeddings")},
    {.name = "w_k", .dims = "D E", .fill = InputFill::Projection, .help = ATTNLAB_TEXT("Makes keys from embeddings")},
    {.name = "w_v",
     .dims = "D Ev",
     .fill = InputFill::Projection,
     .help = ATTNLAB_TEXT("Makes values from embeddings")},
    output_gradient_input("B L Ev | L Ev"),
};

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    return attend_as(self_form(problem), problem, control);
}

} // namespace

DotProductForm self_form(const ResolvedProblem& problem) { return projected_form(problem, problem.tensors.at("x")); }

DotProductForm projected_form(const ResolvedProblem& problem, const Tensor& context) {
    const auto& tensors = problem.tensors;
    return {.spec = problem.spec,
            .query = {tensors.at("x"), tensors.at("w_q")},
            .key = {context, tensors.at("w_k")},
            .value = {context, tensors.at("w_v")}};
}

Mechanism self_mechanism() {
    return dot_product_mechanism(
        {.id = "self",
         .place = 7,
         .title = ATTNLAB_TEXT("Self-attention"),
         .family = ATTNLAB_TEXT("By where Q, K and V come from"),
         .formula = "softmax(X W_q (X W_k)ᵀ / √d_k + M) X W_v",
         .help = ATTNLAB_TEXT("Queries, keys and values are three projections of the same tokens, so each token reads "
                              "its own sequence."),
         .source = "Vaswani et al. 2017, section 3.2.3",
         .inputs = inputs,
         .run = run,
         .dot_product_form = self_form,
         .drawn = {R"(Q = X W_Q \quad\; K = X W_K \quad\; V = X W_V)", "Q = X W_Q, K = X W_K, V = X W_V"},
         .look_for = ATTNLAB_TEXT("Each token reads the whole sequence, itself included. The weights need not be "
                                  "symmetric: W_q and W_k let “a reads b” differ from “b reads a”.")});
}

} // namespace attnlab
