#include "core/mechanisms/shared/context.h"

#include "core/mechanisms.h"
#include "core/mechanisms/shared/projection.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"

#include <algorithm>

namespace attnlab {
namespace {

bool blocks_any(const Trace& trace) {
    const Stage* blocked = trace.find("blocked");
    return blocked && std::ranges::any_of(blocked->value.values(), [](double cell) { return cell != 0.0; });
}

} // namespace

Combine combine_of(const ParameterValues& parameters) {
    return parameters.choice("combine") == "gate" ? Combine::Gate : Combine::Bias;
}

PreparedRows scored_rows(const ResolvedProblem& problem, const ExactInputs& inputs) {
    return prepared_rows(scale_mode(problem.spec.scale.id), inputs.query, inputs.key, problem.tensors);
}

ContextScore::ContextScore(Combine combine, Rows rows, Tensor context)
    : combine_(combine), rows_(rows), context_(std::move(context)) {}

/// `own` is 1 where q · k itself is part of the score, 0 for the context's term alone.
ScoreFunction ContextScore::with(double own) const {
    ScoreFunction score;
    const auto beside = [context = context_](const Tensor& rows, const RunControl& control) {
        return side_by_side(rows, context, control);
    };
    (rows_ == Rows::Query ? score.prepare_query : score.prepare_key) = beside;
    // The factor of k_c in the sum: (own + c) q for a gate, own q + c for a bias.
    const auto left = [own, gate = combine_ == Combine::Gate, of_query = rows_ == Rows::Query](
                          std::span<const double> q, std::span<const double> k, std::size_t c) {
        const double context = of_query ? q[q.size() / 2 + c] : k[k.size() / 2 + c];
        return gate ? (own + context) * q[c] : own * q[c] + context;
    };
    const auto width = static_cast<std::size_t>(context_.dim(3));
    score.value = [left, width](std::span<const double> q, std::span<const double> k) {
        double sum = 0.0;
        for (std::size_t c = 0; c < width; ++c)
            sum += left(q, k, c) * k[c];
        return sum;
    };
    score.terms = [left, width](std::span<const double> q, std::span<const double> k) {
        std::vector<ScoreTerm> terms;
        for (std::size_t c = 0; c < width; ++c)
            terms.push_back({left(q, k, c), k[c], left(q, k, c) * k[c]});
        return terms;
    };
    return score;
}

ScoreFunction ContextScore::whole() const {
    const bool gate = combine_ == Combine::Gate;
    const bool of_query = rows_ == Rows::Query;
    auto score = with(1.0);
    score.operation = gate ? Message("Q·diag(1 + c)·Kᵀ") : Message("(Q + c)·Kᵀ");
    score.formula = std::string(gate ? "s_ij = q_i · ((1 + c) ∘ k_j)" : "s_ij = (q_i + c) · k_j") +
                    (of_query ? ", c = c_i" : ", c = c_j");
    return score;
}

ScoreFunction ContextScore::added() const {
    auto score = with(0.0);
    score.operation = combine_ == Combine::Gate ? Message("Q·diag(c)·Kᵀ") : Message("c·Kᵀ");
    score.formula = combine_ == Combine::Gate ? "q_i · (c ∘ k_j)" : "c · k_j";
    return score;
}

Trace attend_with_context(const ResolvedProblem& problem, const ExactInputs& inputs, const ContextScore& score,
                          std::vector<Stage> more, const RunControl& control) {
    // Computing scores, scaled, masked and weights requires memory in addition to the term.
    control.require_memory("context_term",
                           {inputs.query.dim(0), inputs.query.dim(1), inputs.query.dim(2), inputs.key.dim(2)}, 5.0);
    auto trace = exact_attention(problem, inputs, score.whole(), control);
    auto rows = scored_rows(problem, inputs);
    if (const Stage* query = trace.find("rotated_query"))
        rows = {query->value, trace.find("rotated_key")->value};
    const auto added = score.added();
    const auto silent = control.silent();
    const auto query = added.prepare_query ? added.prepare_query(rows.query, silent) : rows.query;
    const auto key = added.prepare_key ? added.prepare_key(rows.key, silent) : rows.key;
    more.push_back({"context_term",
                    all_scores(added, query, key, silent),
                    {Axis::Batch, Axis::Head, Axis::Query, Axis::Key},
                    StageRole::Summary,
                    added.operation,
                    added.formula});
    const auto scores = std::ranges::find(trace.stages, std::string("scores"), &Stage::name);
    trace.stages.insert(scores, std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    return trace;
}

void warn_of_leaks(Trace& trace, const AttentionSpec& spec) {
    const bool hides_future = std::ranges::any_of(spec.masks, [](const Selection& mask) {
        const auto& kind = mask_kind(mask.id);
        return kind.band && kind.keeps_first_keys;
    });
    if (!blocks_any(trace))
        return;
    const auto words =
        hides_future
            ? Message(ATTNLAB_TEXT("The context is a mean over all keys, later ones included: under this mask it "
                                   "leaks the future to every query"))
            : Message(ATTNLAB_TEXT("The context is a mean over all keys, those that the mask blocks included: they "
                                   "still shift the scores of the others"));
    trace.notes.insert(trace.notes.begin(), {Note::Severity::Warning, words});
}

} // namespace attnlab
