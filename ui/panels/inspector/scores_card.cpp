#include "ui/panels/inspector/scores_card.h"

#include "core/stages/scale.h"
#include "core/statistics.h"
#include "core/variants.h"
#include "ui/document/view_state.h"
#include "ui/matrix/slice.h"
#include "ui/panels/inspector/number_table.h"
#include "ui/widgets/text.h"

#include <QVBoxLayout>

#include <optional>

namespace attnlab::ui {
namespace {

/// Theoretical variances before and after the scale, for scores that are dot products of independent numbers with mean
/// 0 and variance 1.
struct Prediction {
    std::optional<double> scores;
    std::optional<double> scaled;
};

Prediction predictionFor(const Trace& trace, const Stage& scores, const AttentionSpec& spec) {
    const Pass& pass = trace.pass(prefix_of(scores.name));
    if (!pass.dot_product_scores || !pass.score_terms || scores.value.size() == 0)
        return {};
    const auto terms = pass.score_terms(0, 0, 0, 0);
    if (terms.empty())
        return {};
    try {
        const Selection scale = effective_scale(spec);
        if (scale_mode(scale.id).row_norm != RowNorm::None)
            return {};
        const auto width = static_cast<std::int64_t>(terms.size());
        Prediction prediction{static_cast<double>(width), {}};
        if (!spec.scale_after_softmax)
            prediction.scaled = predicted_variance(scale, {width, scores.value.dim(-1)});
        return prediction;
    } catch (const Error&) {
        return {}; // no theory for an invalid scale, which is reported elsewhere
    }
}

Moments momentsOf(const MatrixData& matrix) {
    const auto view = matrix.view();
    return moments({view.data, static_cast<std::size_t>(view.rows * view.columns)});
}

} // namespace

ScoresCard::ScoresCard(QWidget* parent) : Card(parent), numbers_(new NumberTable(this)) {
    body()->addWidget(numbers_);
    setNoScores();
}

void ScoresCard::setNoScores() {
    showWithin(this, false);
    numbers_->setEntries({});
    setTitle({});
}

void ScoresCard::setScores(const Trace& trace, const Stage& weights, int batch, int head, const AttentionSpec& spec,
                           const Extent& extent) {
    const auto slice = [&](const Stage* stage) { return stage ? sliceOf(trace, *stage, batch, head) : std::nullopt; };
    const Stage* scores = trace.beside(weights, "scores");
    const auto raw = slice(scores), scaled = slice(trace.beside(weights, "scaled"));
    if (!raw) {
        setNoScores();
        return;
    }
    const bool of_row = extent.one_row && !extent.head;
    const Moments before = extent.head ? extent.head->scores : momentsOf(*raw), after = extent.head
                                                                                            ? extent.head->scaled
                                                                                        : scaled ? momentsOf(*scaled)
                                                                                                 : before;
    std::vector<NumberTable::Entry> entries{
        {tr("mean"), numberText(before.mean, 3), tr("Mean of the scores before the scale"), tr("mean of scores")},
        {tr("after scale"), numberText(after.mean, 3), tr("Mean of the scores after the scale"),
         tr("mean after scale")},
        {tr("variance"), numberText(before.variance, 3), tr("Variance of the scores before the scale"),
         tr("variance of scores")},
        {tr("after scale"), numberText(after.variance, 3), tr("Variance of the scores after the scale"),
         tr("variance after scale")}};
    const bool mean_of_heads = head == ViewState::mean_of_heads;
    const auto theory = mean_of_heads || of_row ? Prediction{} : predictionFor(trace, *scores, spec);
    if (theory.scores) {
        const QString help = tr("The variance for independent entries of query and key with mean 0 and variance 1");
        entries.push_back({tr("theory"), numberText(*theory.scores, 3), help, tr("variance by theory")});
        entries.push_back({tr("theory"), theory.scaled ? numberText(*theory.scaled, 3) : QStringLiteral("–"), help,
                           tr("variance after scale by theory")});
    }
    numbers_->setEntries(entries);
    setTitle(of_row          ? tr("Scores of this row")
             : mean_of_heads ? tr("Mean scores of the heads")
                             : tr("Scores of this head"));
    showWithin(this, true);
}

} // namespace attnlab::ui
