// Selects the keys of a row of weights for the inspector's bars.
#pragma once

#include "ui/drawing/bar_chart.h"
#include "ui/drawing/matrix_data.h"

#include <optional>

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

/// The same bars with that of the chosen key, if it was omitted for its size.
RowBars withChosen(RowBars bars, const MatrixData& weights, std::int64_t row, int chosen_key);

/// Tells keys of the same label apart by their positions: "the (0)", "the (6)".
void numberEqualLabels(RowBars& bars);

} // namespace attnlab::ui
