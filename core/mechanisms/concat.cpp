// s_ij = w · [q_i; k_j], or s_ij = v · tanh(W [q_i; k_j]) if v is given.
#include "core/mechanisms/shared/by_score.h"

namespace attnlab {
namespace {

const Input inputs[] = {
    query_input,
    wide_key_input,
    value_input,
    {.name = "concat_v",
     .dims = "h",
     .fill = InputFill::Projection,
     .required = false,
     .help = ATTNLAB_TEXT("With it tanh comes between: makes one score of the hidden layer")},
    {.name = "concat_w",
     .dims = "h E+Ek | E+Ek",
     .fill = InputFill::Projection,
     .longest_with = "concat_v",
     .help = ATTNLAB_TEXT("Reads query and key side by side")},
    output_gradient_input("B H L Ev | B L Ev | L Ev"),
};

/// Elements [first, first + count) of the last axis of w (rows, width), transposed: (count, rows).
Tensor columns_of(const Tensor& w, std::int64_t first, std::int64_t count) {
    Tensor part({count, w.dim(0)});
    if (part.size() == 0)
        return part;
    const auto out = part.mutable_values();
    for (std::int64_t c = 0; c < count; ++c)
        for (std::int64_t row = 0; row < w.dim(0); ++row)
            out[static_cast<std::size_t>(c * w.dim(0) + row)] = w.data()[row * w.dim(1) + first + c];
    return part;
}

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    const auto& tensors = problem.tensors;
    const auto E = tensors.at("query").dim(-1), Ek = tensors.at("key").dim(-1);
    const auto& given = tensors.at("concat_w");
    const auto w = given.rank() == 1 ? given.reshaped({1, given.dim(0)}) : given;
    const auto w_q = columns_of(w, 0, E), w_k = columns_of(w, E, Ek);
    const auto v = tensors.find("concat_v");
    auto score = v == tensors.end() ? decoupled_score(w_q, w_k) : tanh_score(w_q, w_k, v->second, nullptr);
    score.operation = v == tensors.end() ? Message("w·[q;k]") : Message("v·tanh(W[q;k])");
    score.formula = v == tensors.end() ? "s_ij = w · [q_i; k_j]" : "s_ij = v · tanh(W [q_i; k_j])";
    return attend_by(score, problem, control);
}

ScoreCode code(const ResolvedProblem& problem) {
    const auto E = std::to_string(problem.tensors.at("query").dim(-1));
    if (problem.tensors.contains("concat_v"))
        return {
            perceptron_code("(query @ concat_w[:, :" + E + "].T)", "(key @ concat_w[:, " + E + ":].T)", "", "concat_v"),
            "v \\cdot \\tanh \\left( W \\left[ <q> ; <k> \\right] \\right)"};
    return {"scores = " + pairwise_sum_code("(query @ concat_w[:" + E + "])", "(key @ concat_w[" + E + ":])", "") +
                "\n",
            "w \\cdot \\left[ <q> ; <k> \\right]"};
}

} // namespace

Mechanism concat_mechanism() {
    return score_mechanism(
        {.id = "concat",
         .place = 4,
         .title = ATTNLAB_TEXT("Concatenation"),
         .formula = "softmax(w · [q; k] + M) V, or softmax(v · tanh(W [q; k]) + M) V",
         .help = ATTNLAB_TEXT("Query and key are put side by side, and one vector w scores them. The part of the query "
                              "is then equal for all keys, so softmax cancels it. Luong's form puts tanh in between, "
                              "with the optional concat_v. Only then do query and key interact."),
         .source = "Luong et al. 2015, Effective Approaches to Attention-based Neural Machine Translation, "
                   "section 3.1 (concat)",
         .inputs = inputs,
         .run = run,
         .code = code,
         .drawn = {R"(f(q, k) = \begin{cases} w \cdot [q;\, k] \\ v \cdot \tanh\left( W [q;\, k] \right) \end{cases})",
                   "f(q, k) = w · [q; k], or f(q, k) = v · tanh(W [q; k])"},
         .look_for = ATTNLAB_TEXT("Without concat_v the score is linear in [q; k]: every row of weights is the "
                                  "same, whatever the query. Add concat_v, and tanh couples the two again.")});
}

} // namespace attnlab
