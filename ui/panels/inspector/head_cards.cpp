#include "ui/panels/inspector/head_cards.h"

#include "core/mechanisms.h"
#include "core/stages/scale.h"
#include "core/statistics.h"
#include "ui/document/view_state.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/panels/inspector/named_numbers.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <QGridLayout>
#include <QVBoxLayout>

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

namespace {

constexpr int numbers = 3; ///< this, exact, ratio

} // namespace

QString amountText(double value, Measure::Unit unit) {
    if (unit == Measure::Unit::Number)
        return significantText(value);
    static constexpr std::array prefixes{"", "k", "M", "G", "T", "P", "E"};
    std::size_t power = 0;
    // 999.6 would be rounded to 1000, which belongs to the next prefix.
    while (std::isfinite(value) && std::abs(value) >= 999.5 && power + 1 < prefixes.size()) {
        value /= 1000.0;
        ++power;
    }
    const bool whole = power == 0 && value == std::floor(value);
    const QString number = whole ? QString::number(value, 'f', 0) : numberText(value, 3);
    const QString suffix =
        QLatin1String(prefixes[power]) + (unit == Measure::Unit::Bytes ? QStringLiteral("B") : QString());
    return suffix.isEmpty() ? number : QStringLiteral("%1 %2").arg(number, suffix);
}

MeasuresCard::MeasuresCard(QWidget* parent) : Card(parent) { refresh(); }

void MeasuresCard::setMeasures(std::vector<Measure> measures) {
    measures_ = std::move(measures);
    refresh();
}

QStringList MeasuresCard::headings() { return {tr("this"), tr("exact"), tr("ratio")}; }

QStringList MeasuresCard::textsOf(const Measure& measure) const {
    const QString own = amountText(measure.value, measure.unit);
    if (!measure.exact)
        return {translated(measure.title), own};
    return {translated(measure.title), own, amountText(*measure.exact, measure.unit),
            *measure.exact == 0.0 ? QStringLiteral("–") : significantText(measure.value / *measure.exact)};
}

QStringList MeasuresCard::line(const std::string& name) const {
    const auto found = std::find_if(measures_.begin(), measures_.end(),
                                    [&name](const Measure& measure) { return measure.name == name; });
    return found == measures_.end() ? QStringList() : textsOf(*found);
}

void MeasuresCard::addLine(const QStringList& texts, const QString& help) {
    const int row = grid_->rowCount();
    auto* name = mutedLabel(table_);
    name->setWordWrap(true);
    name->setMinimumWidth(40);
    name->setText(texts.front());
    name->setToolTip(help);
    const auto count = static_cast<int>(texts.size()) - 1;
    const QStringList columns = count > 1 ? headings() : QStringList{QString()};
    // A lone number is at the right end: its name gets the remaining columns.
    grid_->addWidget(name, row, 0, 1, 1 + numbers - count);
    for (int i = 0; i < count; ++i) {
        auto* number = new Label(texts[i + 1], table_);
        number->setAlignment(Qt::AlignRight | Qt::AlignTop);
        number->setTextInteractionFlags(Qt::TextSelectableByMouse);
        const QString column = columns[i].isEmpty() ? QString() : QStringLiteral(", ") + columns[i];
        number->setAccessibleName(QStringLiteral("%1%2: %3").arg(texts.front(), column, texts[i + 1]));
        number->setToolTip(help);
        if (i == 0)
            setAccessibleLabelOf(*name, *number);
        grid_->addWidget(number, row, 1 + numbers - count + i);
    }
}

void MeasuresCard::refresh() {
    setTitle(tr("Against exact attention"));
    setVisible(!measures_.empty());
    removeSafely(table_);
    table_ = new QWidget(this);
    grid_ = new QGridLayout(table_);
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(10);
    grid_->setVerticalSpacing(3);
    grid_->setColumnStretch(0, 1);
    body()->addWidget(table_);
    const auto has_exact = [](const Measure& measure) { return measure.exact.has_value(); };
    for (const auto& measure : measures_)
        if (!has_exact(measure))
            addLine(textsOf(measure), exactText(measure.value));
    if (std::none_of(measures_.begin(), measures_.end(), has_exact))
        return;
    const int row = grid_->rowCount();
    int column = 1;
    for (const auto& text : headings()) {
        auto* heading = mutedLabel(table_);
        heading->setText(text);
        heading->setAlignment(Qt::AlignRight);
        grid_->addWidget(heading, row, column++);
    }
    for (const auto& measure : measures_)
        if (has_exact(measure))
            addLine(textsOf(measure),
                    tr("%1; exact attention: %2").arg(exactText(measure.value), exactText(*measure.exact)));
}

} // namespace attnlab::ui
