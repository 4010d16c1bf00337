#include "ui/model/sentence_panel.h"

#include "core/explain/reading_words.h"
#include "ui/model/page_parts.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/text.h"

namespace attnlab::ui {

SentencePanel::SentencePanel(QWidget* parent)
    : QWidget(parent), arcs_(new TokenArcs), words_(new QVBoxLayout), claim_(newLine(LineLook::Plain)),
      details_(newLine(LineLook::Muted)) {
    auto* card = new PlainCard(QBoxLayout::LeftToRight);
    words_->addStretch();
    words_->addWidget(claim_);
    words_->addWidget(details_);
    words_->addStretch();
    stretchWords(1, 0);
    card->content()->addWidget(arcs_, 3);
    card->content()->addLayout(words_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(card);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(arcs_, &TokenArcs::queryClicked, this, &SentencePanel::setQuery);
    connect(arcs_, &TokenArcs::queryMoved, this, &SentencePanel::setQuery);
}

void SentencePanel::stretchWords(int around, int words) {
    for (int i = 0; i < words_->count(); ++i)
        words_->setStretch(i, i == 0 || i + 1 == words_->count() ? around : words);
}

void SentencePanel::setLow(bool low) {
    if (low_ == low)
        return;
    low_ = low;
    words_->setDirection(low ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    stretchWords(low ? 0 : 1, low ? 1 : 0);
    showRow();
}

void SentencePanel::setHead(const HeadOnShowPtr& head) {
    head_ = head && head->weights ? head : nullptr;
    arcs_->setTokens(head_ ? RibbonTokens(head_->weights->trace, *head_->stage()) : RibbonTokens());
    showRow();
}

void SentencePanel::setQuery(int query) {
    query_ = query;
    showRow();
}

void SentencePanel::showRow() {
    const Stage* weights = head_ ? head_->stage() : nullptr;
    if (weights && (!query_ || *query_ >= weights->value.dim(-2)))
        query_ = static_cast<int>(weights->value.dim(-2)) - 1;
    arcs_->setVisible(weights && !low_);
    if (!weights || *query_ < 0) {
        reading_ = {};
        claim_->clear();
        details_->clear();
        arcs_->setQuery({}, {});
        emit rowChanged();
        return;
    }
    reading_ = explain::reading_of(head_->weights->trace, *weights, 0, 0, *query_);
    arcs_->setQuery(query_, reading_);
    const auto words = explain::words_of(reading_, arcs_->tokens().names(*query_, 0));
    QStringList parts;
    for (const auto& detail : words.details)
        parts << translated(detail);
    claim_->setText(translated(words.claim));
    details_->setText(parts.join(QStringLiteral(" · ")));
    arcs_->setAccessibleName(tr("Token %1: %2").arg(*query_).arg(claim_->text()));
    emit rowChanged();
}

} // namespace attnlab::ui
