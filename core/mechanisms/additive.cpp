// s_ij = v · tanh(q_i W_q + k_j W_k + b): a perceptron with one hidden layer on query and key.
#include "core/mechanisms/shared/by_score.h"

namespace attnlab {
namespace {

const Input inputs[] = {
    query_input,
    wide_key_input,
    value_input,
    {.name = "additive_w_q",
     .dims = "E h",
     .fill = InputFill::Projection,
     .help = ATTNLAB_TEXT("Takes a query to the hidden layer")},
    {.name = "additive_w_k",
     .dims = "Ek h",
     .fill = InputFill::Projection,
     .help = ATTNLAB_TEXT("Takes a key to the hidden layer")},
    {.name = "additive_v",
     .dims = "h",
     .fill = InputFill::Projection,
     .help = ATTNLAB_TEXT("Makes one score of the hidden layer")},
    {.name = "additive_b",
     .dims = "h",
     .fill = InputFill::Zeros,
     .required = false,
     .help = ATTNLAB_TEXT("Bias of the hidden layer")},
    output_gradient_input("B H L Ev | B L Ev | L Ev"),
};

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    const auto& tensors = problem.tensors;
    const auto bias = tensors.find("additive_b");
    auto score = tanh_score(tensors.at("additive_w_q"), tensors.at("additive_w_k"), tensors.at("additive_v"),
                            bias == tensors.end() ? nullptr : &bias->second);
    score.operation = {"v·tanh(q + k)"};
    score.formula =
        bias == tensors.end() ? "s_ij = v · tanh(q_i W_q + k_j W_k)" : "s_ij = v · tanh(q_i W_q + k_j W_k + b)";
    return attend_by(score, problem, control);
}

ScoreCode code(const ResolvedProblem& problem) {
    const bool bias = problem.tensors.contains("additive_b");
    return {
        perceptron_code("(query @ additive_w_q)", "(key @ additive_w_k)", bias ? " + additive_b" : "", "additive_v"),
        "v \\cdot \\tanh \\left( <q> W_q + <k> W_k" + std::string(bias ? " + b" : "") + " \\right)"};
}

} // namespace

Mechanism additive_mechanism() {
    return score_mechanism(
        {.id = "additive",
         .place = 3,
         .title = ATTNLAB_TEXT("Additive (Bahdanau)"),
         .formula = "softmax(v · tanh(q W_q + k W_k + b) + M) V",
         .help = ATTNLAB_TEXT("A small network with one hidden layer scores each pair of query and key. Both are "
                              "projected and added, and tanh keeps each hidden number between -1 and 1. Scores do not "
                              "grow with the width of queries and keys, but with the number of hidden units."),
         .source = "Bahdanau et al. 2015, Neural Machine Translation by Jointly Learning to Align and Translate, "
                   "appendix A.1.2",
         .inputs = inputs,
         .run = run,
         .code = code,
         .drawn = {R"(f(q, k) = v \cdot \tanh\left( q W_q + k W_k + b \right))",
                   "f(q, k) = v · tanh(q W_q + k W_k + b)"},
         .look_for = ATTNLAB_TEXT(
             "tanh keeps every hidden term between −1 and 1, so the score cannot exceed Σ|v|. Make queries and keys "
             "ten times larger: the scores level off. Dot products would grow a hundredfold.")});
}

} // namespace attnlab
