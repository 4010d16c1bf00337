// The distribution of a head's scores, compared with theory.
#pragma once

#include "core/attention.h"
#include "ui/widgets/card.h"

namespace attnlab::ui {

class NumberTable;

/// Mean and variance of the scores before and after the scale. Hidden if there are no scores.
class ScoresCard : public Card {
    Q_OBJECT
public:
    explicit ScoresCard(QWidget* parent = nullptr);

    /// The scores beside `weights`; `head` may be ViewState::mean_of_heads.
    void setScores(const Trace& trace, const Stage& weights, int batch, int head, const AttentionSpec& spec);
    void setNoScores();

    NumberTable* numbers() const { return numbers_; }

private:
    NumberTable* numbers_;
};

} // namespace attnlab::ui
