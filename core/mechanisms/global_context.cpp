// softmax((Q Kᵀ + Q diag(c) Kᵀ) / √d) V with c the mean of the keys; `combine=bias` adds c Kᵀ instead.
#include "core/mechanisms/shared/by_score.h"
#include "core/mechanisms/shared/context.h"
#include "core/stages/softmax.h"

namespace attnlab {
namespace {

const Input inputs[] = {query_input, key_input, value_input};
const Parameter parameters[] = {combine_parameter, dropout_parameter(), dropout_seed_parameter()};

/// (B,H,S,E) -> (B,H,E): the mean row, zeros without rows.
Tensor mean_rows(const Tensor& rows) {
    const auto S = rows.dim(2), E = rows.dim(3);
    Tensor means({rows.dim(0), rows.dim(1), E});
    const auto out = means.mutable_values();
    for (std::int64_t k = 0; k < rows.size(); ++k)
        out[static_cast<std::size_t>(k / (S * E) * E + k % E)] += rows.data()[k] / static_cast<double>(S);
    return means;
}

/// (B,H,E) -> (B,H,S,E)
Tensor repeated(const Tensor& means, std::int64_t S) {
    const auto E = means.dim(2);
    Tensor rows({means.dim(0), means.dim(1), S, E});
    const auto out = rows.mutable_values();
    for (std::size_t k = 0; k < out.size(); ++k) {
        const auto flat = static_cast<std::int64_t>(k);
        out[k] = means.data()[flat / (S * E) * E + flat % E];
    }
    return rows;
}

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    const auto given = given_inputs(problem);
    control.require_memory("context", given.key.shape(), 1.0);
    const auto means = mean_rows(scored_rows(problem, given).key);
    const ContextScore score(combine_of(problem.spec.parameters), ContextScore::Rows::Key,
                             repeated(means, given.key.dim(2)));
    auto trace = attend_with_context(problem, given, score,
                                     {{"context",
                                       means,
                                       {Axis::Batch, Axis::Head, Axis::Feature},
                                       StageRole::Summary,
                                       {ATTNLAB_TEXT("mean of the keys")},
                                       "c = 1/S Σ_j k_j"}},
                                     control);
    warn_of_leaks(trace, problem.spec);
    return trace;
}

} // namespace

Mechanism global_context_mechanism() {
    return {.id = "global_context",
            .place = 20,
            .title = ATTNLAB_TEXT("Global context"),
            .family = ATTNLAB_TEXT("With context"),
            .formula = "softmax((Q Kᵀ + Q diag(c) Kᵀ) / √d_k + M) V,  c = mean of the keys",
            .help = ATTNLAB_TEXT("The mean of all keys takes part in every score. As a gate, it weighs the features in "
                                 "which keys have something in common. As a bias, it asks for keys like the average."),
            .source = "Yang et al. 2019, Context-Aware Self-Attention Networks; read for a vector c",
            .default_scale = "sqrt_dk",
            .inputs = inputs,
            .parameters = parameters,
            .run = run,
            .attention_line = "score_attention",
            .drawn = {R"(\begin{aligned} f &= q_i \cdot k_j + \begin{cases} q_i \cdot \left( c \circ k_j \right))"
                      R"( \\ c \cdot k_j \end{cases} \\)"
                      R"( c &= \frac{1}{S} \sum_j k_j \end{aligned})",
                      "f = q_i · k_j + q_i · (c ∘ k_j), or q_i · k_j + c · k_j; c = 1/S Σ_j k_j"},
            .look_for = ATTNLAB_TEXT(
                "Compare the context term with the scores: it is what the context adds. With bias its rows are all "
                "alike, and every query is drawn to the same keys. Turn the causal mask on and read the warning: the "
                "mean has seen the future.")};
}

} // namespace attnlab
