#include "ui/model/lens_view.h"

#include "core/model/effects.h"
#include "core/model/model_results.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QBoxLayout>

namespace attnlab::ui {
namespace {

constexpr std::size_t outcomes_in_lens = 6;

struct LensText {
    Q_DECLARE_TR_FUNCTIONS(LensView)
};

std::shared_ptr<const LensTable> lensOf(const ModelResultPtr& result, const std::optional<NamedPair>& pair,
                                        const RunControl& control) {
    const auto& model = *result->model;
    const auto logits = model::lens(model, *result->result, *answerRow(*result), control);
    auto table =
        std::make_shared<LensTable>(LensTable{.result = result, .pair = pair, .outcomes = {}, .probabilities = {}});
    // The logits of each layer as the answer of a model.
    model::Result one;
    one.input = result->result->input;
    one.is_of_classes = result->result->is_of_classes;
    one.is_independent = result->result->is_independent;
    one.logits = logits;
    const auto named = [&](std::int64_t id, double probability) { return namedOutcome(model, one, id, probability); };
    if (pair)
        table->outcomes = {pair->a, pair->b};
    for (const auto& outcome : model::likeliest(model, one, outcomes_in_lens, logits.rows - 1, control))
        if (table->outcomes.size() < outcomes_in_lens &&
            std::ranges::find(table->outcomes, outcome.id, &NamedOutcome::id) == table->outcomes.end())
            table->outcomes.push_back(named(outcome.id, outcome.probability));
    table->probabilities = Tensor({logits.rows, std::ssize(table->outcomes)});
    for (std::int64_t row = 0; row < logits.rows; ++row) {
        control.checkpoint();
        const auto shares = model::probabilities(one, row);
        for (std::size_t i = 0; i < table->outcomes.size(); ++i)
            table->probabilities.set({row, static_cast<std::int64_t>(i)},
                                     shares[static_cast<std::size_t>(table->outcomes[i].id)]);
        const auto best = std::ranges::max_element(shares);
        table->likeliest.push_back(named(best - shares.begin(), *best));
        if (pair)
            table->differences.push_back(model::logit_difference(one, row, pair->ids()));
    }
    return table;
}

} // namespace

MatrixData LensTable::matrix() const {
    MatrixData matrix;
    matrix.values = probabilities;
    matrix.row_title = LensText::tr("after layer: likeliest");
    matrix.column_title = LensText::tr("outcome");
    for (const auto& outcome : outcomes)
        matrix.column_labels << outcome.name;
    for (std::size_t row = 0; row < likeliest.size(); ++row) {
        const QString layer = row == 0 ? LensText::tr("start") : QString::number(row - 1);
        QString label = LensText::tr("%1: %2").arg(layer, likeliest[row].name);
        if (pair)
            label += QStringLiteral(", ") + (differences[row] > 0.0 ? QStringLiteral("+") : QString()) +
                     numberText(differences[row], 2);
        matrix.row_labels << label;
    }
    return matrix;
}

Figure LensTable::figure() const {
    ValueRange range;
    range.include(0.0);
    range.include(1.0);
    Figure figure(matrix(), colorScale({}, range, false, true));
    figure.quantity = LensText::tr("probability");
    return figure;
}

QString LensTable::words() const {
    std::size_t since = likeliest.size() - 1;
    while (since > 0 && likeliest[since - 1].id == likeliest.back().id)
        --since;
    const QString words =
        since == 0 ? LensText::tr("“%1” is the likeliest from the start").arg(likeliest.back().name)
                   : LensText::tr("“%1” is the likeliest from layer %2 on").arg(likeliest.back().name).arg(since - 1);
    return pair ? LensText::tr("%1 · beside it logit(%2) − logit(%3)").arg(words, pair->a.name, pair->b.name) : words;
}

LensView::LensView(QWidget* parent)
    : QWidget(parent), heatmap_(new HeatmapView),
      job_([this](const std::shared_ptr<const LensTable>& table) { show(table); }) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(heatmap_);
    heatmap_->setAtTop(true);
    connect(heatmap_, &HeatmapView::cellHovered, heatmap_, &HeatmapView::setCrosshair);
    connect(&job_, &LatestJobBase::failed, this, [this](const Message& why) {
        table_.reset();
        heatmap_->setMatrix({}, {});
        heatmap_->setMessage(translated(why), PictureState::Look::Error);
        emit changed();
    });
}

void LensView::setResult(const ModelResultPtr& result) {
    if (result_ == result)
        return;
    result_ = result;
    if (!result_ || !answerRow(*result_))
        result_.reset();
    if (pair_ && result_)
        for (const auto* one : {&pair_->a, &pair_->b})
            if (pair_ && one->id >= result_->plain->logits.columns)
                pair_.reset();
    is_outdated_ = true;
    compute();
}

void LensView::setPair(const std::optional<NamedPair>& pair) {
    const auto ids = [](const std::optional<NamedPair>& one) { return one ? std::optional(one->ids()) : std::nullopt; };
    const bool same = ids(pair) == ids(pair_);
    pair_ = pair;
    if (same)
        return;
    is_outdated_ = true;
    compute();
}

void LensView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    compute();
}

/// The table before stays in sight meanwhile.
void LensView::compute() {
    if (!is_outdated_ || !isVisible())
        return;
    is_outdated_ = false;
    if (!result_) {
        job_.cancel();
        table_.reset();
        heatmap_->setMatrix({}, {});
        heatmap_->setMessage(tr("The model gives no answer"));
        emit changed();
        return;
    }
    if (!table_)
        heatmap_->setMessage(tr("Computing the layers…"), PictureState::Look::Loading);
    job_.request([result = result_, pair = pair_](const RunControl& control) { return lensOf(result, pair, control); });
}

void LensView::show(const std::shared_ptr<const LensTable>& table) {
    table_ = table;
    heatmap_->setCaption(tr("Probabilities after each layer"));
    const auto figure = table_->figure();
    heatmap_->setMatrix(figure.panels.front().matrix, figure.scale);
    emit changed();
}

QString LensView::note() const { return table_ && result_ ? table_->words() : QString(); }

} // namespace attnlab::ui
