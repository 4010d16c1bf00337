// Describes a step of a TileWalk.
#pragma once

#include "ui/drawing/matrix_data.h"
#include "ui/pages/exhibits/tile_steps.h"

#include <QCoreApplication>

namespace attnlab::ui {

/// `labels` has the steps' queries as rows and keys as columns.
class TileWords {
    Q_DECLARE_TR_FUNCTIONS(TileWords)
public:
    /// The tile being read, and its effect on the maximum of a row: of `row` if it is in the tile, else of the row
    /// whose maximum rises most.
    static QString ofStep(const TileSteps& steps, int step, const MatrixData& labels,
                          std::optional<std::int64_t> row = std::nullopt);
    static QString ofState(TileState state);

private:
    static QString ofRow(const TileSteps& steps, int step, const MatrixData& labels, std::int64_t row, bool chosen);
};

} // namespace attnlab::ui
