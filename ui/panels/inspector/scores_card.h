// The distribution of a head's scores, compared with theory.
#pragma once

#include "core/attention.h"
#include "core/map/row_problem.h"
#include "ui/widgets/card.h"

#include <optional>

namespace attnlab::ui {

class NumberTable;

/// Mean and variance of the scores before and after the scale. Hidden if there are no scores.
class ScoresCard : public Card {
    Q_OBJECT
public:
    explicit ScoresCard(QWidget* parent = nullptr);

    /// Whether the trace is a single row of its head, and then what is known of the head.
    struct Extent {
        bool one_row = false;
        std::optional<RowProblems::ScoreMoments> head = std::nullopt;
    };
    /// The scores beside `weights`; `head` may be ViewState::mean_of_heads. Where only a row is known, those of the
    /// row.
    void setScores(const Trace& trace, const Stage& weights, int batch, int head, const AttentionSpec& spec,
                   const Extent& extent);
    void setNoScores();

    NumberTable* numbers() const { return numbers_; }

private:
    NumberTable* numbers_;
};

} // namespace attnlab::ui
