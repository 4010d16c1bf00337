// What one row of weights reads, as bars and in words.
#pragma once

#include "ui/drawing/bar_chart.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/matrix_data.h"
#include "ui/widgets/card.h"

#include <optional>
#include <span>
#include <vector>

namespace attnlab::ui {

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

} // namespace attnlab::ui

// What one row of weights reads.

class QLabel;
class QToolButton;

namespace attnlab::ui {

class BarChart;
class NumberTiles;
class SegmentSwitch;

/// The largest weights of a row as bars, by weight or by position, and the numbers of the row. A button shows the
/// others too.
class RowCard : public Card {
    Q_OBJECT
public:
    explicit RowCard(QWidget* parent = nullptr);

    /// Sets the bars of a row; the numbers are those of the previous row until they are set too.
    void setRow(const MatrixData& weights, std::int64_t row, std::optional<int> chosen_key, const ColorScale& scale);
    void setNumbers(std::span<const double> row);

    BarChart* bars() const { return bars_; }
    NumberTiles* numbers() const { return numbers_; }
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
    QWidget* controls();

    std::optional<Shown> shown_;
    bool all_ = false;      ///< the user asked for more than the largest
    std::vector<int> keys_; ///< the key of each bar
    BarChart* bars_;
    QLabel* left_out_;
    NumberTiles* numbers_;
    SegmentSwitch* order_;
    QToolButton* more_;
};

} // namespace attnlab::ui
