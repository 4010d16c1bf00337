// Q = X W_q from one sequence, K = C W_k and V = C W_v from another; L and S may differ.
#include "core/mechanisms/self.h"
#include "core/mechanisms/shared/by_score.h"

namespace attnlab {
namespace {

const Input inputs[] = {
    {.name = "x",
     .dims = "B L D | L D",
     .starts_from = "query",
     .help = ATTNLAB_TEXT("One row a token that asks: its embedding")},
    {.name = "context",
     .dims = "B S D2 | S D2",
     .starts_from = "key",
     .help = ATTNLAB_TEXT("One row a token that is read: its embedding")},
    {.name = "w_q", .dims = "D E", .fill = InputFill::Projection, .help = ATTNLAB_TEXT("Makes queries from x")},
    {.name = "w_k", .dims = "D2 E", .fill = InputFill::Projection, .help = ATTNLAB_TEXT("Makes keys from the context")},
    {.name = "w_v",
     .dims = "D2 Ev",
     .fill = InputFill::Projection,
     .help = ATTNLAB_TEXT("Makes values from the context")},
    output_gradient_input("B L Ev | L Ev"),
};

DotProductForm form(const ResolvedProblem& problem) { return projected_form(problem, problem.tensors.at("context")); }

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    return attend_as(form(problem), problem, control);
}

} // namespace

Mechanism cross_mechanism() {
    return dot_product_mechanism(
        {.id = "cross",
         .place = 9,
         .title = ATTNLAB_TEXT("Cross-attention"),
         .family = ATTNLAB_TEXT("By where Q, K and V come from"),
         .formula = "softmax(X W_q (C W_k)ᵀ / √d_k + M) C W_v",
         .help = ATTNLAB_TEXT("Queries come from one sequence, keys and values from another: how a decoder reads the "
                              "encoder. The two lengths may differ."),
         .source = "Vaswani et al. 2017, section 3.2.3",
         .inputs = inputs,
         .run = run,
         .dot_product_form = form,
         .drawn = {R"(Q = X W_Q \quad\; K = C\, W_K \quad\; V = C\, W_V)", "Q = X W_Q, K = C W_K, V = C W_V"},
         .look_for =
             ATTNLAB_TEXT("Rows are the tokens of x, columns those of the context: the picture need not be square. "
                          "The output has one row for each token of x, made of values of the context only.")});
}

} // namespace attnlab
