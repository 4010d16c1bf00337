// The cards of the inspector: what a row of weights reads, the scores of a head beside theory, and the cost and error
// of a mechanism.
#pragma once

#include "core/attention.h"
#include "core/map/row_problem.h"
#include "ui/drawing/bars_drawing.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/matrix_data.h"
#include "ui/widgets/card.h"

#include <optional>
#include <span>
#include <vector>

class QGridLayout;
class QLabel;
class QToolButton;

namespace attnlab::ui {

class BarChart;
class NumberTable;
class NumberTiles;
class SegmentSwitch;

struct RowBars {
    std::vector<Bar> bars;
    std::vector<int> keys; ///< of each bar, ascending
    int highlighted = -1;  ///< the bar of the chosen key
    int blocked = 0;       ///< blocked keys, which are omitted
    int smaller = 0;       ///< keys omitted because `most` others have larger weights
};

/// Only displayed keys get a label, so the cost does not depend on the length of the row.
RowBars rowBars(const MatrixData& weights, std::int64_t row, std::optional<int> chosen_key, int most);

/// The same bars plus the bar of the chosen key, if it was omitted for its size.
RowBars withChosen(RowBars bars, const MatrixData& weights, std::int64_t row, int chosen_key);

/// Tells keys of the same label apart by their positions: "the (0)", "the (6)".
void numberEqualLabels(RowBars& bars);

/// The largest weights of a row as bars, by weight or by position, and the numbers of the row. A button shows the
/// others too.
class RowCard : public Card {
    Q_OBJECT
public:
    explicit RowCard(QWidget* parent = nullptr);

    /// Sets the bars of a row; the numbers are those of the previous row until they are set too.
    void setRow(const MatrixData& weights, std::int64_t row, std::optional<int> chosen_key, const ColorScale& scale);
    /// `by_softmax`: the weights are those of a softmax, whose slope is shown.
    void setNumbers(std::span<const double> row, bool by_softmax = true);
    /// Earlier weights of the same shape for the next setRow(), as frames, and their setting; nullopt: none.
    void setBefore(std::optional<MatrixData> weights, const QString& setting);
    /// Weights that the bars of the next setRow() must have room for, so that bars keep their scale with the colours;
    /// empty: none.
    void setReach(std::span<const double> weights);
    /// What the frames are; empty without any.
    QString legend() const;

    BarChart* bars() const { return bars_; }
    NumberTiles* numbers() const { return numbers_; }
    /// Entropy and slope, shown on demand.
    NumberTiles* furtherNumbers() const { return further_; }
    QToolButton* furtherButton() const { return show_further_; }
    SegmentSwitch* orderSwitch() const { return order_; }
    QToolButton* moreButton() const { return more_; }

signals:
    /// The key of a bar; nullopt when the mouse leaves the bars.
    void keyHovered(std::optional<int> key);
    void keyClicked(int key);

private:
    /// What the bars show.
    struct Shown {
        MatrixData weights;
        std::int64_t row = 0;
        std::optional<int> key;
        ColorScale scale;
    };
    void refresh();
    void showFurther(bool shown);
    QWidget* controls();

    std::optional<Shown> shown_;
    std::optional<MatrixData> before_;
    bool all_ = false;      ///< the user asked for more than the largest
    std::vector<int> keys_; ///< the key of each bar
    BarChart* bars_;
    QLabel *left_out_, *legend_;
    NumberTiles *numbers_, *further_;
    SegmentSwitch* order_;
    QToolButton* more_;
    QToolButton* show_further_;
};

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
