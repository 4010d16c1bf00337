#include "ui/model/predictions_panel.h"

#include "core/explain/reading.h"
#include "ui/model/page_parts.h"
#include "ui/panels/ribbon/token_chips.h"
#include "ui/widgets/accessible.h"
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

constexpr int name_letters = 12, number_gap = 6;

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
}

void OutcomeBars::setOutcomes(const std::vector<model::Outcome>& outcomes, const std::vector<model::Outcome>& before) {
    bars_.clear();
    compares_ = outcomes.size() != before.size() ||
                !std::equal(outcomes.begin(), outcomes.end(), before.begin(), [](const auto& a, const auto& b) {
                    return a.id == b.id && a.probability == b.probability;
                });
    std::vector<std::int64_t> ids;
    for (const auto& outcome : outcomes) {
        bars_.push_back({nameOf(outcome), outcome.probability, -1.0});
        ids.push_back(outcome.id);
    }
    for (const auto& outcome : before) {
        const auto found = std::find(ids.begin(), ids.end(), outcome.id);
        if (found != ids.end())
            bars_[static_cast<std::size_t>(found - ids.begin())].before = outcome.probability;
        else
            bars_.push_back({nameOf(outcome), -1.0, outcome.probability});
    }
    QStringList spoken;
    for (const auto& bar : bars_)
        spoken << (compares_ && bar.before >= 0.0
                       ? tr("%1: %2, %3 with all heads")
                             .arg(bar.name, bar.now < 0.0 ? tr("less") : shareOf(bar.now), shareOf(bar.before))
                       : tr("%1: %2").arg(bar.name, shareOf(bar.now)));
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
    return {2 * name_letters * fontMetrics().averageCharWidth(), static_cast<int>(bars_.size()) * lineHeight()};
}

QSize OutcomeBars::minimumSizeHint() const {
    return {name_letters * fontMetrics().averageCharWidth(), sizeHint().height()};
}

void OutcomeBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const int name_width = std::min(width() / 2, name_letters * fontMetrics().averageCharWidth());
    const int number_width = fontMetrics().horizontalAdvance(QStringLiteral("< 0.1%")) + number_gap;
    const int room = std::max(0, width() - name_width - number_width - number_gap);
    int top = 0;
    for (const auto& bar : bars_) {
        const QRect line(0, top, width(), lineHeight());
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(line.adjusted(0, 0, name_width - width(), 0), Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(bar.name, Qt::ElideRight, name_width - number_gap));
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter,
                         bar.now < 0.0 ? QStringLiteral("–") : shareOf(bar.now));
        QRectF place(name_width, top + 4, room, lineHeight() - 8);
        if (bar.now > 0.0)
            painter.fillRect(QRectF(place.topLeft(), QSizeF(room * bar.now, place.height())), theme().accent);
        if (compares_ && bar.before > 0.0) {
            painter.setPen(palette().color(QPalette::WindowText));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(QRectF(place.topLeft(), QSizeF(room * bar.before, place.height() - 1)));
        }
        top += lineHeight();
    }
}

} // namespace attnlab::ui
