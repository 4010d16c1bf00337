// Cards about a head: the distribution of its scores beside theory, and the cost and error of a mechanism.
#pragma once

#include "core/attention.h"
#include "core/map/row_problem.h"
#include "ui/widgets/card.h"

#include <optional>
#include <vector>

namespace attnlab::ui {

class NumberTable;

/// Mean and variance of the scores before and after the scale. Hidden if there are no scores.
class ScoresCard : public Card {
    Q_OBJECT
public:
    explicit ScoresCard(QWidget* parent = nullptr);

    /// Whether the trace is a single row of its head, and in this case the known facts of the head.
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

// Cost and error of a mechanism, compared with exact attention.

class QGridLayout;

namespace attnlab::ui {

/// "950", "1.23 k", "45.6 M", "7.89 G" with three digits; bytes as "1.23 kB".
QString amountText(double value, Measure::Unit unit);

/// A line for each measure: its number, or the number, that of exact attention and their ratio. Hidden if there are
/// none.
class MeasuresCard : public Card {
    Q_OBJECT
public:
    explicit MeasuresCard(QWidget* parent = nullptr);

    void setMeasures(std::vector<Measure> measures);

    /// The texts of a measure's line, from the left; empty for an unknown measure.
    QStringList line(const std::string& name) const;

private:
    void refresh();
    static QStringList headings();
    QStringList textsOf(const Measure& measure) const;
    void addLine(const QStringList& texts, const QString& help);

    std::vector<Measure> measures_;
    QWidget* table_ = nullptr;
    QGridLayout* grid_ = nullptr;
};

} // namespace attnlab::ui
