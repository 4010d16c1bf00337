// s_ij = w · q_i + w · k_j: one vector for both; softmax cancels the query term.
#include "core/mechanisms/shared/by_score.h"

namespace attnlab {
namespace {

const Input inputs[] = {
    query_input,
    key_input,
    value_input,
    {.name = "sum_w",
     .dims = "E",
     .fill = InputFill::Projection,
     .help = ATTNLAB_TEXT("Makes a number of a query and of a key")},
    output_gradient_input("B H L Ev | B L Ev | L Ev"),
};

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    const auto& w = problem.tensors.at("sum_w");
    auto score = decoupled_score(w, w);
    score.operation = {"w·q + w·k"};
    score.formula = "s_ij = w · q_i + w · k_j";
    return attend_by(score, problem, control);
}

ScoreCode code(const ResolvedProblem&) {
    return {"scores = " + pairwise_sum_code("(query @ sum_w)", "(key @ sum_w)", "") + "\n",
            "w \\cdot <q> + w \\cdot <k>"};
}

} // namespace

Mechanism vector_sum_mechanism() {
    return score_mechanism(
        {.id = "vector_sum",
         .place = 5,
         .title = ATTNLAB_TEXT("Vector sum"),
         .formula = "softmax(w · q + w · k + M) V",
         .help = ATTNLAB_TEXT("A vector w reads the query and the key, and the two numbers are added. The query's "
                              "number is the same for every key, so softmax cancels it: every query reads alike."),
         .source = "The additive score without its hidden layer",
         .inputs = inputs,
         .run = run,
         .code = code,
         .drawn = {R"(f(q, k) = w \cdot q + w \cdot k)", "f(q, k) = w · q + w · k"},
         .look_for =
             ATTNLAB_TEXT("Every row of the weights is the same: w·q adds one number to a whole row of scores, and "
                          "softmax cancels it. Change any query: the scores move, the weights do not.")});
}

} // namespace attnlab
