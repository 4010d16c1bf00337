// Attention(Q, K, V) = softmax(Q Kᵀ / √d_k + M) V.
#include "core/mechanisms/shared/by_score.h"

namespace attnlab {
namespace {

const Input inputs[] = {query_input, key_input, value_input, output_gradient_input("B H L Ev | B L Ev | L Ev")};

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    return attend_by(dot_product(), problem, control);
}

} // namespace

Mechanism scaled_dot_product_mechanism() {
    return dot_product_mechanism(
        {.id = "scaled_dot_product",
         .place = 1,
         .title = ATTNLAB_TEXT("Scaled dot-product"),
         .family = ATTNLAB_TEXT("By score function"),
         .formula = "softmax(Q Kᵀ / √d_k + M) V",
         .help = ATTNLAB_TEXT("A dot product compares every query with every key. Softmax turns each row of scores "
                              "into weights. The output is the weighted mean of the values."),
         .source = "Vaswani et al. 2017, Attention Is All You Need, section 3.2.1",
         .inputs = inputs,
         .run = run,
         .dot_product_form = given_form,
         .drawn = {R"(\mathrm{output}_i = \sum_j a_{ij}\, v_j \quad\; s_{ij} = q_i \cdot k_j)",
                   "output_i = Σ_j a_ij v_j, s_ij = q_i · k_j"},
         .look_for = ATTNLAB_TEXT(
             "Set the scale to none, then to 1/√d. Without the scale, the scores of wide heads spread so far that one "
             "weight takes all. The slope of softmax, ‖∂a/∂s‖ in the inspector, is then near 0.")});
}

} // namespace attnlab
