// Scores computed elsewhere, such as by hand: the masked softmax of a textbook.
#include "core/mechanisms/shared/by_score.h"
#include "core/mechanisms/shared/projection.h"
#include "core/stages/notes.h"

#include <numeric>

namespace attnlab {
namespace {

const Input inputs[] = {
    {.name = "value",
     .dims = "B H S Ev | B S Ev | S Ev",
     .required = false,
     .starts_from = "value_context",
     .help = ATTNLAB_TEXT("One row a key token: what it hands over; without it, the identity")},
    {.name = "scores",
     .dims = "B H L S | B L S | L S",
     .help = ATTNLAB_TEXT("The scores before masks, one row a query token")},
};

const char* const without_value =
    ATTNLAB_TEXT("No value is given: the identity stands for it, so the output is the weights.");

const Parameter parameters[] = {dropout_parameter(), dropout_seed_parameter()};

const char* const unknown_rows =
    ATTNLAB_TEXT("The scores are given as they are: their queries and keys are not known.");

/// (B,1,S,S).
Tensor identity(std::int64_t B, std::int64_t S) {
    Tensor value({B, 1, S, S});
    const auto numbers = value.mutable_values();
    for (std::int64_t row = 0; row < B * S; ++row)
        numbers[static_cast<std::size_t>(row * S + row % S)] = 1.0;
    return value;
}

/// The exact pass with each row of scores as a query, and the number of each key as its key.
Trace run(const ResolvedProblem& problem, const RunControl& control) {
    ExactInputs rows;
    rows.query = with_heads(problem.tensors.at("scores"));
    const auto B = rows.query.dim(0), S = rows.query.dim(3);
    if (!problem.tensors.contains("value"))
        control.require_memory("value", {B, 1, S, S}, 1.0);
    std::vector<double> numbers(static_cast<std::size_t>(B * S));
    for (std::int64_t b = 0; b < B; ++b)
        std::iota(numbers.begin() + b * S, numbers.begin() + (b + 1) * S, 0.0);
    rows.key = Tensor({B, 1, S, 1}, std::move(numbers));
    const auto value = problem.tensors.find("value");
    rows.value = value == problem.tensors.end() ? identity(B, S) : with_heads(value->second);
    ScoreFunction score;
    score.value = [](std::span<const double> row, std::span<const double> key) {
        return row[static_cast<std::size_t>(key[0])];
    };
    score.operation = {ATTNLAB_TEXT("as given")};
    score.formula = "s_ij";
    auto trace = exact_attention(problem, rows, score, control);
    std::erase_if(trace.stages, [](const Stage& stage) { return stage.name == "query" || stage.name == "key"; });
    trace.notes = notes_on(trace, problem.spec); // none about these
    if (value == problem.tensors.end())
        trace.notes.push_back({Note::Severity::Info, {without_value}});
    return trace;
}

} // namespace

Mechanism given_scores_mechanism() {
    return {.id = "given_scores",
            .place = 24,
            .title = ATTNLAB_TEXT("Given scores"),
            .family = ATTNLAB_TEXT("Given"),
            .formula = "softmax(S + M) V",
            .help = ATTNLAB_TEXT("Scores from elsewhere, such as homework or another program: their masks, softmax and "
                                 "output. With valid_lens it is the masked softmax of textbooks."),
            .source = "Zhang et al., Dive into Deep Learning, 11.3.2 (masked softmax)",
            .default_scale = "none",
            .inputs = inputs,
            .parameters = parameters,
            .run = run,
            .attention_line = "",
            .refuses = {.position = unknown_rows,
                        .scale_after_softmax = unknown_rows,
                        .scale_of_many_factors = unknown_rows,
                        .scale = unknown_rows},
            .drawn = {R"(a_{ij} = \mathrm{softmax}_j (s_{ij} + M_{ij}) \quad\; s_{ij} \quad \mathrm{given})",
                      "a_ij = softmax_j(s_ij + M_ij), s_ij given"},
            .look_for =
                ATTNLAB_TEXT("Change one score: only its row of weights changes, and the row still sums to 1. Add the "
                             "same number to a whole row: nothing changes.")};
}

} // namespace attnlab
