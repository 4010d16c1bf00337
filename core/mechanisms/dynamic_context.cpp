// softmax((Q Kᵀ + Q diag(c_i) Kᵀ) / √d) V with c_i = softmax(Q Kᵀ / √d) V, a first pass; `combine=bias` adds c_i Kᵀ.
#include "core/mechanisms/shared/by_score.h"
#include "core/mechanisms/shared/context.h"
#include "core/stages/softmax.h"

namespace attnlab {
namespace {

const Input inputs[] = {query_input, key_input, value_input};

constexpr std::string_view sources[] = {"value", "key"};

const Parameter parameters[] = {
    combine_parameter,
    {.name = "source",
     .type = ParameterType::Choice,
     .default_text = "value",
     .title = ATTNLAB_TEXT("first read"),
     .help = ATTNLAB_TEXT("What the first read brings home: values, which must be as wide as the keys, or keys"),
     .choices = sources},
    dropout_parameter(),
    dropout_seed_parameter(),
};

bool reads_values(const ResolvedProblem& problem) { return problem.spec.parameters.choice("source") == "value"; }

void check_values(const ResolvedProblem& problem) {
    const auto& key = problem.tensors.at("key");
    const auto& value = problem.tensors.at("value");
    if (reads_values(problem) && value.dim(-1) != key.dim(-1))
        throw Error({ATTNLAB_TEXT("value: has width %1, expected %2, the width of key. With source = value the context "
                                  "is a mix of values. With source = key any width is possible"),
                     {std::to_string(value.dim(-1)), std::to_string(key.dim(-1))}});
}

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    const auto given = given_inputs(problem);
    const Shape cells = {given.query.dim(0), given.query.dim(1), given.query.dim(2), given.key.dim(2)};
    control.require_memory("context_weights", cells, 9.0);

    auto first = given;
    if (!reads_values(problem))
        first.value = scored_rows(problem, given).key;
    auto plain = problem;
    plain.spec.statistics = false;
    plain.spec.parameters = without_dropout(plain.spec.parameters);
    const auto read = exact_attention(plain, first, dot_product(), control.part(0.0, 0.5));
    const auto& context = read.find("output")->value;
    const auto& weights = *read.find("weights");

    const ContextScore score(combine_of(problem.spec.parameters), ContextScore::Rows::Query, context);
    return attend_with_context(problem, given, score,
                               {{"context_weights",
                                 weights.value,
                                 weights.axes,
                                 StageRole::Summary,
                                 {ATTNLAB_TEXT("softmax of the first read")},
                                 weights.formula},
                                {"context",
                                 context,
                                 {Axis::Batch, Axis::Head, Axis::Query, Axis::Feature},
                                 StageRole::Summary,
                                 {ATTNLAB_TEXT("first read")},
                                 reads_values(problem) ? "c_i = Σ_j a_ij v_j" : "c_i = Σ_j a_ij k_j"}},
                               control.part(0.5, 1.0));
}

} // namespace

Mechanism dynamic_context_mechanism() {
    return {.id = "dynamic_context",
            .place = 22,
            .title = ATTNLAB_TEXT("Dynamic context"),
            .family = ATTNLAB_TEXT("With context"),
            .formula = "softmax((Q Kᵀ + Q diag(c_i) Kᵀ) / √d_k + M) V,  c_i = first read of query i",
            .help = ATTNLAB_TEXT("Each query reads twice: what the first read brings home takes part in the scores of "
                                 "the second. Both reads are masked alike, so nothing leaks."),
            .source = "Yang et al. 2019, Context-Aware Self-Attention Networks; read for a vector c_i",
            .default_scale = "sqrt_dk",
            .inputs = inputs,
            .parameters = parameters,
            .run = run,
            .check_values = check_values,
            .attention_line = "score_attention",
            .one_way = false,
            .drawn = {R"(\begin{aligned} f &= q_i \cdot k_j + \begin{cases} q_i \cdot \left( c_i \circ k_j \right))"
                      R"( \\ c_i \cdot k_j \end{cases} \\)"
                      R"( c_i &= \sum_j \mathrm{softmax}_j\left( q_i \cdot k_j / \sqrt{d_k} \right) v_j \end{aligned})",
                      "f = q_i · k_j + q_i · (c_i ∘ k_j), or q_i · k_j + c_i · k_j; c_i = Σ_j softmax_j(q_i · k_j / "
                      "√d_k) v_j"},
            .look_for = ATTNLAB_TEXT(
                "Set the context weights beside the weights: the second read sharpens what the first one found. Switch "
                "combine between gate and bias, and source between value and key, and watch the context term change.")};
}

} // namespace attnlab
