// The sum of three context terms: key j itself (word), the mean of its sentence and that of its paragraph.
#include "core/mechanisms/shared/by_score.h"
#include "core/mechanisms/shared/context.h"
#include "core/stages/softmax.h"

#include <cmath>

namespace attnlab {
namespace {

const Input inputs[] = {
    query_input,
    key_input,
    value_input,
    {.name = "sentence_ids",
     .dims = "S",
     .fill = InputFill::Halves,
     .dtype = DType::Int64,
     .help = ATTNLAB_TEXT("Which sentence each key belongs to: equal numbers, same sentence")},
    {.name = "paragraph_ids",
     .dims = "S",
     .fill = InputFill::Zeros,
     .dtype = DType::Int64,
     .help = ATTNLAB_TEXT("Which paragraph each key belongs to: equal numbers, same paragraph")},
};
const Parameter parameters[] = {combine_parameter, dropout_parameter(), dropout_seed_parameter()};

void check_values(const ResolvedProblem& problem) {
    for (const auto* name : {"sentence_ids", "paragraph_ids"}) {
        const auto ids = problem.tensors.find(name)->second.values();
        for (std::size_t j = 0; j < ids.size(); ++j)
            if (std::trunc(ids[j]) != ids[j] || !std::isfinite(ids[j]))
                throw Error({ATTNLAB_TEXT("%1: has %2 at (%3,), expected an integer"),
                             {name, to_text(ids[j]), std::to_string(j)}});
    }
}

/// Adds to row j of `sum` the mean of the rows of its group, for every batch and head.
void add_group_means(Tensor& sum, const Tensor& keys, const Tensor& ids) {
    const auto S = keys.dim(2), E = keys.dim(3);
    std::map<double, std::vector<std::int64_t>> groups;
    for (std::int64_t j = 0; j < S; ++j)
        groups[ids.data()[j]].push_back(j);
    const auto out = sum.mutable_values();
    for (std::int64_t head = 0; head < matrix_count(keys); ++head) {
        const auto rows = matrix_at(keys, head);
        for (const auto& [id, members] : groups)
            for (std::int64_t c = 0; c < E; ++c) {
                double mean = 0.0;
                for (const auto j : members)
                    mean += rows(j, c) / static_cast<double>(members.size());
                for (const auto j : members)
                    out[static_cast<std::size_t>((head * S + j) * E + c)] += mean;
            }
    }
}

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    const auto given = given_inputs(problem);
    control.require_memory("context", given.key.shape(), 1.0);
    const auto keys = scored_rows(problem, given).key;
    Tensor context = keys; // the word's own
    for (const auto* level : {"sentence_ids", "paragraph_ids"})
        add_group_means(context, keys, problem.tensors.find(level)->second);
    const ContextScore score(combine_of(problem.spec.parameters), ContextScore::Rows::Key, context);
    auto trace = attend_with_context(problem, given, score,
                                     {{"context",
                                       context,
                                       {Axis::Batch, Axis::Head, Axis::Key, Axis::Feature},
                                       StageRole::Summary,
                                       {ATTNLAB_TEXT("word + sentence mean + paragraph mean")},
                                       "c_j = k_j + mean of its sentence + mean of its paragraph"}},
                                     control);
    warn_of_leaks(trace, problem.spec);
    return trace;
}

} // namespace

Mechanism hierarchical_context_mechanism() {
    return {
        .id = "hierarchical_context",
        .place = 21,
        .title = ATTNLAB_TEXT("Hierarchical context"),
        .family = ATTNLAB_TEXT("With context"),
        .formula = "softmax((Q Kᵀ + Q diag(c_j) Kᵀ) / √d_k + M) V,  c_j = word + sentence + paragraph",
        .help = ATTNLAB_TEXT("A key is read together with the means of its sentence and its paragraph: three "
                             "terms are added to its score, one for each level. Equal ids belong together."),
        .source = "Three context terms, one for each level of the text; read for vectors c_j",
        .default_scale = "sqrt_dk",
        .inputs = inputs,
        .parameters = parameters,
        .run = run,
        .check_values = check_values,
        .attention_line = "score_attention",
        .drawn = {R"(\begin{aligned} f &= q_i \cdot k_j + \begin{cases} q_i \cdot \left( c_j \circ k_j \right) \\)"
                  R"( c_j \cdot k_j \end{cases} \\)"
                  R"( c_j &= k_j + \overline{k}_{\mathrm{sentence}} + \overline{k}_{\mathrm{paragraph}} \end{aligned})",
                  "f = q_i · k_j + q_i · (c_j ∘ k_j), or q_i · k_j + c_j · k_j; c_j = k_j + mean of its sentence "
                  "+ mean of its paragraph"},
        .look_for = ATTNLAB_TEXT(
            "Change one entry of sentence_ids: the columns of both sentences move, the rest stays. In the context term "
            "the keys of a sentence look alike. Under a causal mask the means have seen later keys, and the "
            "program warns.")};
}

} // namespace attnlab
