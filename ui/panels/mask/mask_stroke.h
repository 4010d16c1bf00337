// The cells that a stroke of each tool covers. Plain geometry on one matrix.
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
    Diagonal,  ///< every cell whose column - row lies between those of the first and the last cell
};
Q_ENUM_NS(MaskTool)

/// The cells on the line between two cells, both ends included (Bresenham).
std::vector<Cell> cellsBetween(Cell from, Cell to);

/// Writes `value` into the cells of a rows x columns matrix that `tool` covers going from `from` to `to`. What lies
/// outside the matrix is left out.
void applyTool(MaskTool tool, Cell from, Cell to, double value, std::span<double> matrix, int rows, int columns);

} // namespace attnlab::ui
