#include "ui/model/guesses_panel.h"

#include "ui/model/outcome_bars.h"
#include "ui/model/page_parts.h"
#include "ui/panels/ribbon/token_chip.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/scroll_room.h"
#include "ui/widgets/text.h"
#include "ui/widgets/wrapped_label.h"

namespace attnlab::ui {

GuessesPanel::GuessesPanel(QWidget* parent) : QWidget(parent), hint_(new WrappedLabel) {
    auto* list = new QWidget;
    column_ = new QVBoxLayout(list);
    column_->setContentsMargins(0, 0, 0, 0);
    hint_->setWordWrap(true);
    hint_->setForegroundRole(QPalette::PlaceholderText);
    column_->addWidget(hint_);
    column_->addStretch(1);
    auto* card = new PlainCard(QBoxLayout::TopToBottom);
    card->content()->addWidget(new ScrollRoom(list, ScrollRoom::Scrolls::Down));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(card);
}

QString GuessesPanel::titleOf(const ModelResult& result, const std::vector<std::string>& tokens,
                              const Guesses& guesses) const {
    if (!guesses.position)
        return result.result->is_of_classes ? tr("Classes") : tr("Next token");
    return tr("%1 at %2")
        .arg(shownToken(textOf(tokens[static_cast<std::size_t>(*guesses.position)])))
        .arg(*guesses.position);
}

void GuessesPanel::show(std::size_t index, const QString& title, const Guesses& guesses) {
    if (index == sections_.size()) {
        sections_.push_back({newLine(LineLook::Bold), new OutcomeBars});
        column_->insertWidget(column_->count() - 1, sections_.back().title);
        column_->insertWidget(column_->count() - 1, sections_.back().bars);
    }
    sections_[index].title->setText(title);
    sections_[index].bars->setOutcomes(guesses.now, guesses.before);
}

void GuessesPanel::setResult(const ModelResultPtr& result) {
    shown_ = 0;
    hint_->clear();
    if (result && result->model && !result->passes.empty()) {
        const bool two = result->compared && result->compared->of == ComparedRuns::Of::Texts;
        const auto add = [&](const QString& form, const std::vector<Guesses>& all,
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

std::vector<OutcomeBars*> GuessesPanel::bars() const {
    std::vector<OutcomeBars*> bars;
    for (std::size_t i = 0; i < shown_; ++i)
        bars.push_back(sections_[i].bars);
    return bars;
}

QStringList GuessesPanel::titles() const {
    QStringList titles;
    for (std::size_t i = 0; i < shown_; ++i)
        titles << sections_[i].title->text();
    return titles;
}

QString GuessesPanel::hint() const { return hint_->text(); }

} // namespace attnlab::ui
