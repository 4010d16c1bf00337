// What one row of weights reads.
#pragma once

#include "ui/drawing/colormap.h"
#include "ui/drawing/matrix_data.h"
#include "ui/widgets/card.h"

#include <optional>
#include <span>
#include <vector>

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
