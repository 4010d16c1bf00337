// s_ij = q_iᵀ W k_j: a dot product through a matrix, so that queries and keys may differ in width.
#include "core/mechanisms/shared/by_score.h"

namespace attnlab {
namespace {

const Input inputs[] = {
    query_input,
    wide_key_input,
    value_input,
    {.name = "bilinear_w",
     .dims = "E Ek",
     .fill = InputFill::Projection,
     .help = ATTNLAB_TEXT("Takes a query to where it meets the keys")},
    output_gradient_input("B H L Ev | B L Ev | L Ev"),
};

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    auto score = dot_product();
    score.plain_dot_product = false;
    score.prepare_query = times(problem.tensors.at("bilinear_w"));
    score.back_query = back_times(problem.tensors.at("bilinear_w"));
    score.operation = {"Q·W·Kᵀ"};
    score.formula = "s_ij = q_iᵀ W k_j";
    return attend_by(score, problem, control);
}

ScoreCode code(const ResolvedProblem&) {
    return {"scores = query @ bilinear_w @ key.swapaxes(-1, -2)\n", "<grouped_q>^{\\top} W <k>"};
}

} // namespace

Mechanism bilinear_mechanism() {
    return score_mechanism(
        {.id = "bilinear",
         .place = 2,
         .title = ATTNLAB_TEXT("Bilinear (general)"),
         .formula = "softmax(Q W Kᵀ + M) V",
         .help = ATTNLAB_TEXT("A matrix W stands between query and key, so it is learned which of their features "
                              "are compared, and the two may differ in width."),
         .source = "Luong et al. 2015, Effective Approaches to Attention-based Neural Machine Translation, "
                   "section 3.1 (general)",
         .inputs = inputs,
         .run = run,
         .code = code,
         .drawn = {R"(f(q, k) = q^{\mathsf{T}} W k)", "f(q, k) = qᵀ W k"},
         .look_for = ATTNLAB_TEXT(
             "W decides which features of a query are compared with which of a key. Make it the identity and the "
             "dot product comes back; swap two of its columns and the picture follows.")});
}

} // namespace attnlab
