// s_ij = v · tanh(q_i W_q + k_j W_k + b): a perceptron with one hidden layer on query and key.
#include "core/variants/all.h"
#include "core/variants/by_score.h"

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

} // namespace

Variant additive_variant() {
    return {.id = "additive",
            .title = ATTNLAB_TEXT("Additive (Bahdanau)"),
            .family = ATTNLAB_TEXT("By score function"),
            .formula = "softmax(v · tanh(q W_q + k W_k + b) + M) V",
            .help = ATTNLAB_TEXT("A small network with one hidden layer scores each pair of query and key: both are "
                                 "projected and added, and tanh keeps each hidden number between -1 and 1, so scores "
                                 "cannot grow with the width."),
            .source = "Bahdanau et al. 2015, Neural Machine Translation by Jointly Learning to Align and Translate, "
                      "appendix A.1.2",
            .default_scale = "none",
            .inputs = inputs,
            .parameters = exact_pass_parameters,
            .run = run,
            .check_values = check_output_gradient,
            .attention_line = "score_attention",
            .rounds = true,
            .look_for = ATTNLAB_TEXT(
                "tanh keeps every hidden term between −1 and 1, so the score cannot exceed Σ|v|: make query and key "
                "ten times larger and the scores level off where a dot product would explode.")};
}

} // namespace attnlab
