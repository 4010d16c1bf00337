// How the scores of a head are spread, and what theory says of it.
#pragma once

#include "core/attention.h"
#include "ui/widgets/card.h"

namespace attnlab::ui {

class NumberTable;

/// Mean and variance of the scores before and after the scale. Hidden while there are no scores.
class ScoresCard : public Card {
    Q_OBJECT
public:
    explicit ScoresCard(QWidget* parent = nullptr);

    /// Those beside `weights`; `head` may be ViewState::MeanOfHeads.
    void setScores(const Trace& trace, const Stage& weights, int batch, int head, const AttentionSpec& spec);
    void setNoScores();

    NumberTable* numbers() const { return numbers_; }

private:
    NumberTable* numbers_;
};

} // namespace attnlab::ui
