#include "ui/model/predictions_panel.h"

#include "core/explain/reading.h"
#include "ui/panels/ribbon/token_chips.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QPainter>

namespace attnlab::ui {

PredictionsPanel::PredictionsPanel(QWidget* parent) : QWidget(parent), hint_(new WrappedLabel) {
    auto* list = new QWidget;
    column_ = new QVBoxLayout(list);
    column_->setContentsMargins(0, 0, 0, 0);
    hint_->setWordWrap(true);
    hint_->setForegroundRole(QPalette::PlaceholderText);
    column_->addWidget(hint_);
    column_->addStretch(1);
    auto* card = new PlainCard(QBoxLayout::TopToBottom);
    card->content()->addWidget(new FittingScrollArea(list, FittingScrollArea::Scrolls::Down));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(card);
}

QString PredictionsPanel::titleOf(const ModelResult& result, const std::vector<std::string>& tokens,
                                  const ModelPredictions& guesses) const {
    if (!guesses.position)
        return result.result->is_of_classes ? tr("Classes") : tr("Next token");
    return tr("%1 at %2")
        .arg(displayToken(textOf(tokens[static_cast<std::size_t>(*guesses.position)])))
        .arg(*guesses.position);
}

void PredictionsPanel::show(std::size_t index, const QString& title, const ModelPredictions& guesses) {
    if (index == sections_.size()) {
        sections_.push_back({makeLineLabel(LineStyle::Bold), new OutcomeBars});
        column_->insertWidget(column_->count() - 1, sections_.back().title);
        column_->insertWidget(column_->count() - 1, sections_.back().bars);
    }
    sections_[index].title->setText(title);
    sections_[index].bars->setOutcomes(guesses.now, guesses.before);
}

void PredictionsPanel::setResult(const ModelResultPtr& result) {
    shown_ = 0;
    hint_->clear();
    if (result && result->model && !result->passes.empty()) {
        const bool two = result->compared && result->compared->of == ComparedRuns::Of::Texts;
        const auto add = [&](const QString& form, const std::vector<ModelPredictions>& all,
                             const std::vector<std::string>& tokens) {
            for (const auto& guesses : all)
                show(shown_++, form.arg(titleOf(*result, tokens, guesses)), guesses);
        };
        add(two ? tr("A · %1") : QStringLiteral("%1"), result->guesses, result->passes.front().tokens.queries);
        if (two)
            add(tr("B · %1"), result->compared->other, result->compared->passes.front().tokens_b.queries);
        if (shown_ == 0 && result->mask_spelling)
            hint_->setText(tr("Write %1 for a word in the text, to see what the model expects there")
                               .arg(textOf(*result->mask_spelling)));
    }
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        sections_[i].title->setVisible(i < shown_);
        sections_[i].bars->setVisible(i < shown_);
    }
    hint_->setVisible(!hint_->text().isEmpty());
    setVisible(shown_ > 0 || !hint_->text().isEmpty());
}

std::vector<OutcomeBars*> PredictionsPanel::bars() const {
    std::vector<OutcomeBars*> bars;
    for (std::size_t i = 0; i < shown_; ++i)
        bars.push_back(sections_[i].bars);
    return bars;
}

QStringList PredictionsPanel::titles() const {
    QStringList titles;
    for (std::size_t i = 0; i < shown_; ++i)
        titles << sections_[i].title->text();
    return titles;
}

QString PredictionsPanel::hint() const { return hint_->text(); }

namespace {

constexpr int outcome_letters = 12;

QString shareOf(double probability) { return textOf(explain::share_text(probability)); }

/// With a sign for the space before it, which makes another token of the same word.
QString nameOf(const model::Outcome& outcome) {
    const bool is_part_of_a_letter = outcome.label.find("\xEF\xBF\xBD") != std::string::npos;
    const QString text = textOf(outcome.label.empty() || is_part_of_a_letter ? outcome.name : outcome.label);
    if (text.isEmpty())
        return QString::number(outcome.id);
    const QString shown = displayToken(text);
    const bool leads = text.startsWith(QLatin1Char(' ')) && !text.trimmed().isEmpty();
    return leads ? QChar(0x2423) + shown : shown;
}

} // namespace

OutcomeBars::OutcomeBars(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(*this, QAccessible::Chart);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    bars_.names = BarsDrawing::Names::AtLeftEdge;
    bars_.row_lines = 1.35;
    // Those of several positions are aligned.
    bars_.name_letters = outcome_letters;
    bars_.widest_number = QStringLiteral("< 0.1%");
}

void OutcomeBars::setOutcomes(const std::vector<model::Outcome>& outcomes, const std::vector<model::Outcome>& before) {
    const bool compares =
        outcomes.size() != before.size() ||
        !std::equal(outcomes.begin(), outcomes.end(), before.begin(),
                    [](const auto& a, const auto& b) { return a.id == b.id && a.probability == b.probability; });
    const auto is_of = [](const model::Outcome& one) {
        return [id = one.id](const model::Outcome& other) { return other.id == id; };
    };
    bars_.rows.clear();
    QStringList spoken;
    for (const auto& outcome : outcomes) {
        auto& row = bars_.rows.emplace_back(BarsDrawing::Row{
            .name = nameOf(outcome), .value = outcome.probability, .numbers = {shareOf(outcome.probability)}});
        const auto earlier = std::ranges::find_if(before, is_of(outcome));
        if (compares && earlier != before.end()) {
            row.reference = earlier->probability;
            spoken << tr("%1: %2, %3 with all heads").arg(row.name, row.numbers.front(), shareOf(*row.reference));
        } else {
            spoken << tr("%1: %2").arg(row.name, row.numbers.front());
        }
    }
    for (const auto& outcome : before)
        if (std::ranges::none_of(outcomes, is_of(outcome))) {
            bars_.rows.push_back(
                {.name = nameOf(outcome), .numbers = {QStringLiteral("–")}, .reference = outcome.probability});
            spoken << tr("%1: %2, %3 with all heads")
                          .arg(bars_.rows.back().name, tr("less"), shareOf(outcome.probability));
        }
    setAccessibleName(spoken.join(QStringLiteral(", ")));
    setAccessibleDescription(tr("The most likely outcomes")); // else it would be the tooltip, which has tags
    setToolTip(spoken.join(QLatin1Char('\n'))
                   .toHtmlEscaped()
                   .prepend(QStringLiteral("<qt>"))
                   .replace(QLatin1Char('\n'), QStringLiteral("<br>")));
    updateGeometry();
    update();
}

QSize OutcomeBars::sizeHint() const {
    const int width = 2 * outcome_letters * fontMetrics().averageCharWidth();
    return {width, static_cast<int>(bars_.smallest(font(), width).height())};
}

QSize OutcomeBars::minimumSizeHint() const {
    return {outcome_letters * fontMetrics().averageCharWidth(), sizeHint().height()};
}

void OutcomeBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    bars_.paint(painter, rect(), {theme(), font()});
}

} // namespace attnlab::ui
