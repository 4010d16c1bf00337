// The cells covered by a stroke of each tool. Plain geometry on one matrix.
#pragma once

#include "ui/document/view_state.h"

#include <QObject>

#include <span>
#include <vector>

namespace attnlab::ui {

Q_NAMESPACE

enum class MaskTool {
    Brush,     ///< the cells under the pointer
    Rectangle, ///< from the first cell to the last
    Row,       ///< all keys of the rows passed
    Column,    ///< all queries of the columns passed
    Diagonal,  ///< every cell whose column - row is between those of the first and the last cell
};
Q_ENUM_NS(MaskTool)

/// The cells on the line between two cells, inclusive (Bresenham).
std::vector<Cell> cellsBetween(Cell from, Cell to);

/// Writes `value` to the cells of a rows x columns matrix that `tool` covers from `from` to `to`. Cells outside the
/// matrix are ignored.
void applyTool(MaskTool tool, Cell from, Cell to, double value, std::span<double> matrix, int rows, int columns);

} // namespace attnlab::ui
