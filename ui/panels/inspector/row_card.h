// What one row of weights reads.
#pragma once

#include "ui/drawing/colormap.h"
#include "ui/drawing/matrix_data.h"
#include "ui/widgets/card.h"

#include <optional>
#include <span>
#include <vector>

class QLabel;

namespace attnlab::ui {

class BarChart;
class NumberTable;

/// The largest weights of a row as bars, and the numbers of the row.
class RowCard : public Card {
    Q_OBJECT
public:
    explicit RowCard(QWidget* parent = nullptr);

    /// Sets the bars of a row; the numbers are those of the previous row until they are set too.
    void setRow(const MatrixData& weights, std::int64_t row, std::optional<int> chosen_key, const ColorScale& scale);
    void setNumbers(std::span<const double> row);

    BarChart* bars() const { return bars_; }
    NumberTable* numbers() const { return numbers_; }

signals:
    /// The key of a bar; nullopt when the mouse leaves the bars.
    void keyHovered(std::optional<int> key);
    void keyClicked(int key);

private:
    std::vector<int> keys_; ///< the key of each bar
    BarChart* bars_;
    QLabel* left_out_;
    NumberTable* numbers_;
};

} // namespace attnlab::ui
