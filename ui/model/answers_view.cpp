#include "ui/model/answers_view.h"

#include "core/model/effects.h"
#include "core/model/hidden_words.h"
#include "core/model/model_results.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <QBoxLayout>
#include <utility>

namespace attnlab::ui {
namespace {

using Of = AnswerRows::Of;

constexpr std::size_t most_outcomes = 6;

struct AnswersText {
    Q_DECLARE_TR_FUNCTIONS(AnswersView)
};

/// Logits of a row each, and what the rows are called.
struct NamedLogits {
    model::Matrix logits;
    QStringList names;
};

NamedLogits logitsOfLayers(const ModelResult& result, std::int64_t row, const RunControl& control) {
    NamedLogits rows{.logits = model::lens(*result.model, *result.result, row, control), .names = {}};
    rows.names << AnswersText::tr("before layer 0");
    for (std::int64_t layer = 1; layer < rows.logits.rows; ++layer)
        rows.names << AnswersText::tr("after layer %1").arg(layer - 1);
    return rows;
}

/// The answer comes first.
NamedLogits logitsOfWords(const ModelResult& result, std::int64_t row, const RunControl& control) {
    const auto words = model::words_of(*result.model, *result.result, row, control);
    auto logits = model::logits_without(*result.model, *result.result, row, words, control);
    std::rotate(logits.values.begin(), logits.values.end() - logits.columns, logits.values.end());
    NamedLogits rows{.logits = std::move(logits), .names = {AnswersText::tr("nothing hidden")}};
    for (const auto& word : words)
        rows.names << (word.is_image ? AnswersText::tr("the image") : displayToken(textOf(word.text)));
    return rows;
}

std::shared_ptr<const AnswerRows> tableOf(Of of, const ModelResultPtr& result, const std::optional<NamedPair>& pair,
                                          const RunControl& control) {
    const auto& model = *result->model;
    const auto row = *answerRow(*result);
    auto named_logits = of == Of::Layers ? logitsOfLayers(*result, row, control) : logitsOfWords(*result, row, control);
    // Each row as the answer of a model.
    model::Result one;
    one.input = result->result->input;
    one.is_of_classes = result->result->is_of_classes;
    one.is_independent = result->result->is_independent;
    one.logits = std::move(named_logits.logits);
    const auto count = one.logits.rows, answer = of == Of::Layers ? count - 1 : 0;
    auto table =
        std::make_shared<AnswerRows>(AnswerRows{.of = of, .result = result, .pair = pair, .names = named_logits.names});
    const auto named = [&](std::int64_t id, double probability) { return namedOutcome(model, one, id, probability); };
    if (pair)
        table->outcomes = {pair->a, pair->b};
    for (const auto& outcome : model::likeliest(model, one, most_outcomes, answer, control))
        if (table->outcomes.size() < most_outcomes &&
            std::ranges::find(table->outcomes, outcome.id, &NamedOutcome::id) == table->outcomes.end())
            table->outcomes.push_back(named(outcome.id, outcome.probability));
    table->probabilities = Tensor({count, std::ssize(table->outcomes)});
    const auto whole = model::probabilities(one, answer);
    for (std::int64_t index = 0; index < count; ++index) {
        control.checkpoint();
        const auto shares = model::probabilities(one, index);
        for (std::size_t i = 0; i < table->outcomes.size(); ++i)
            table->probabilities.set({index, static_cast<std::int64_t>(i)},
                                     shares[static_cast<std::size_t>(table->outcomes[i].id)]);
        const auto best = std::ranges::max_element(shares);
        table->likeliest.push_back(named(best - shares.begin(), *best));
        table->moved.push_back(model::moved_between(whole, shares, one.is_independent));
        if (pair)
            table->differences.push_back(model::logit_difference(one, index, pair->ids()));
    }
    return table;
}

/// The layer from which on the answer is the likeliest.
QString wordsOfLayers(const AnswerRows& table) {
    const auto& likeliest = table.likeliest;
    std::size_t since = likeliest.size() - 1;
    while (since > 0 && likeliest[since - 1].id == likeliest.back().id)
        --since;
    return since == 0
               ? AnswersText::tr("“%1” is the likeliest from the start").arg(likeliest.back().name)
               : AnswersText::tr("“%1” is the likeliest from layer %2 on").arg(likeliest.back().name).arg(since - 1);
}

/// The word that moves the answer most.
QString wordsOfWords(const AnswerRows& table) {
    const auto largest = std::ranges::max_element(table.moved);
    const auto row = static_cast<std::size_t>(largest - table.moved.begin());
    const auto& answer = table.likeliest.front();
    if (row == 0 || *largest < HeadEffects::least_share)
        return AnswersText::tr("No word alone moves “%1” by 5% or more").arg(answer.name);
    const QString word = table.names[static_cast<qsizetype>(row)];
    const auto& now = table.likeliest[row];
    if (now.id != answer.id)
        return AnswersText::tr("“%1” matters most: without it the answer is “%2”").arg(word, now.name);
    return AnswersText::tr("“%1” matters most: without it “%2” goes from %3 to %4")
        .arg(word, answer.name, probabilityText(answer.probability), probabilityText(now.probability));
}

} // namespace

MatrixData AnswerRows::matrix() const {
    MatrixData matrix;
    matrix.values = probabilities;
    matrix.row_title =
        of == Of::Layers ? AnswersText::tr("layer → likeliest") : AnswersText::tr("hidden word → likeliest");
    matrix.column_title = AnswersText::tr("outcome");
    for (const auto& outcome : outcomes)
        matrix.column_labels << outcome.name;
    for (std::size_t row = 0; row < likeliest.size(); ++row) {
        QString label = AnswersText::tr("%1 → %2").arg(names[static_cast<qsizetype>(row)], likeliest[row].name);
        if (pair)
            label += QStringLiteral(", ") + (differences[row] > 0.0 ? QStringLiteral("+") : QString()) +
                     numberText(differences[row], 2);
        matrix.row_labels << label;
    }
    return matrix;
}

Figure AnswerRows::figure() const {
    ValueRange range;
    range.include(0.0);
    range.include(1.0);
    Figure figure(matrix(), colorScale({}, range, false, true));
    figure.quantity = AnswersText::tr("probability");
    return figure;
}

QString AnswerRows::words() const {
    const QString words = of == Of::Layers ? wordsOfLayers(*this) : wordsOfWords(*this);
    return pair ? AnswersText::tr("%1 · beside it logit(%2) − logit(%3)").arg(words, pair->a.name, pair->b.name)
                : words;
}

QString AnswerRows::title(Of of) {
    return of == Of::Layers ? AnswersText::tr("The answer after each layer")
                            : AnswersText::tr("The answer while a word is hidden");
}

AnswersView::AnswersView(Of of, QWidget* parent)
    : QWidget(parent), of_(of), heatmap_(new HeatmapView),
      job_([this](const std::shared_ptr<const AnswerRows>& table) { show(table); }) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(heatmap_);
    heatmap_->setAtTop(true);
    connect(heatmap_, &HeatmapView::cellHovered, heatmap_, &HeatmapView::setCrosshair);
    connect(&job_, &LatestJobBase::progressed, this, [this](double fraction) {
        progress_ = fraction;
        emit changed();
    });
    connect(&job_, &LatestJobBase::failed, this, [this](const Message& why) {
        table_.reset();
        heatmap_->setMatrix({}, {});
        heatmap_->setMessage(translated(why), PictureState::Look::Error);
        emit changed();
    });
}

bool AnswersView::canShow(Of of, const ModelResult& result) {
    if (!answerRow(result))
        return false;
    const auto& head = result.model->description().head;
    return of == Of::Layers || (!result.plain->input.ids.empty() && !(head && head->ending));
}

void AnswersView::setResult(const ModelResultPtr& result) {
    const auto shown = result && canShow(of_, *result) ? result : nullptr;
    if (result_ == shown && !is_outdated_)
        return;
    stop();
    result_ = shown;
    if (pair_ && result_)
        for (const auto* one : {&pair_->a, &pair_->b})
            if (pair_ && one->id >= result_->plain->logits.columns)
                pair_.reset();
    is_outdated_ = true;
    compute();
}

void AnswersView::setPair(const std::optional<NamedPair>& pair) {
    const auto ids = [](const std::optional<NamedPair>& one) { return one ? std::optional(one->ids()) : std::nullopt; };
    const bool same = ids(pair) == ids(pair_);
    pair_ = pair;
    if (same)
        return;
    is_outdated_ = true;
    compute();
}

void AnswersView::setPaused(bool paused) {
    if (std::exchange(is_paused_, paused) == paused)
        return;
    if (paused)
        stop();
    else
        compute();
}

void AnswersView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    compute();
}

void AnswersView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    stop();
}

/// What runs begins anew when it is asked for again.
void AnswersView::stop() {
    if (!job_.isRunning())
        return;
    job_.cancel();
    is_outdated_ = true;
}

/// The table before stays in sight meanwhile.
void AnswersView::compute() {
    if (!is_outdated_ || is_paused_ || !isVisible())
        return;
    is_outdated_ = false;
    progress_ = 0.0;
    if (!result_) {
        job_.cancel();
        table_.reset();
        heatmap_->setMatrix({}, {});
        heatmap_->setMessage(tr("The model gives no answer"));
        emit changed();
        return;
    }
    if (!table_)
        heatmap_->setMessage(of_ == Of::Layers ? tr("Computing the layers…") : tr("Hiding one word at a time…"),
                             PictureState::Look::Loading);
    job_.request([of = of_, result = result_, pair = pair_](const RunControl& control) {
        return tableOf(of, result, pair, control);
    });
    emit changed();
}

void AnswersView::show(const std::shared_ptr<const AnswerRows>& table) {
    table_ = table;
    heatmap_->setCaption(of_ == Of::Layers ? tr("Probabilities after each layer")
                                           : tr("Probabilities while no attention reads the word"));
    const auto figure = table_->figure();
    heatmap_->setMatrix(figure.panels.front().matrix, figure.scale);
    emit changed();
}

QString AnswersView::note() const {
    if (!result_)
        return {};
    if (of_ == Of::Words && (job_.isRunning() || is_paused_))
        return tr("One word at a time is hidden: %1%").arg(static_cast<int>(std::floor(100.0 * progress_)));
    if (!table_)
        return {};
    const bool is_more = of_ == Of::Words && model::reads_without_attention(result_->model->description());
    return is_more ? tr("%1 · layers without attention still read it").arg(table_->words()) : table_->words();
}

} // namespace attnlab::ui
