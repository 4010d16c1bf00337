// Self-attention with the causal mask on: token i reads tokens j <= i.
#include "core/mechanisms/self.h"
#include "core/stages/mask.h"

namespace attnlab {
namespace {

DotProductForm form(const ResolvedProblem& problem) {
    auto masked = self_form(problem);
    add_implied_mask(masked.spec, complete_mask({"causal", {}}));
    return masked;
}

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    return attend_as(form(problem), problem, control);
}

} // namespace

Mechanism causal_mechanism() {
    auto variant = self_mechanism();
    variant.id = "causal";
    variant.place = 8;
    variant.title = ATTNLAB_TEXT("Causal self-attention");
    variant.formula = "softmax(X W_q (X W_k)ᵀ / √d_k + M_causal) X W_v";
    variant.help =
        ATTNLAB_TEXT("Self-attention in which a token reads itself and the tokens before it: what a language "
                     "model that writes from left to right needs.");
    variant.run = run;
    variant.dot_product_form = form;
    variant.own_mask = true;
    variant.implied_mask = "causal";
    variant.fills_own_mask = true;
    variant.drawn = {R"(\begin{aligned} Q &= X W_Q \quad\; K = X W_K \quad\; V = X W_V \\)"
                     R"( M_{ij} &= {-}\infty \;\iff\; j > i \end{aligned})",
                     "Q = X W_Q, K = X W_K, V = X W_V, M_ij = −∞ where j > i"};
    variant.look_for =
        ATTNLAB_TEXT("Everything above the diagonal is blocked. The first token can only read itself, so its weight is "
                     "1 whatever the scores; change the last token and no earlier output moves.");
    return variant;
}

} // namespace attnlab
