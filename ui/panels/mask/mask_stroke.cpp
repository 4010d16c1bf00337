#include "ui/panels/mask/mask_stroke.h"

#include <algorithm>
#include <cstdlib>

namespace attnlab::ui {

std::vector<Cell> cellsBetween(Cell from, Cell to) {
    const int width = std::abs(to.column - from.column);
    const int height = std::abs(to.row - from.row);
    const int step_x = from.column < to.column ? 1 : -1;
    const int step_y = from.row < to.row ? 1 : -1;
    std::vector<Cell> cells{from};
    int error = width - height;
    for (Cell at = from; at != to; cells.push_back(at)) {
        const int doubled = 2 * error;
        if (doubled > -height) {
            error -= height;
            at.column += step_x;
        }
        if (doubled < width) {
            error += width;
            at.row += step_y;
        }
    }
    return cells;
}

void applyTool(MaskTool tool, Cell from, Cell to, double value, std::span<double> matrix, int rows, int columns) {
    const auto set = [&](int row, int column) {
        if (row >= 0 && row < rows && column >= 0 && column < columns)
            matrix[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                   static_cast<std::size_t>(column)] = value;
    };
    if (tool == MaskTool::Brush) {
        for (const Cell cell : cellsBetween(from, to))
            set(cell.row, cell.column);
        return;
    }
    const auto [top, bottom] = std::minmax({from.row, to.row});
    const auto [left, right] = std::minmax({from.column, to.column});
    const auto [low, high] = std::minmax({from.column - from.row, to.column - to.row});
    const bool all_rows = tool == MaskTool::Column || tool == MaskTool::Diagonal;
    const int first_row = all_rows ? 0 : std::max(top, 0);
    const int last_row = all_rows ? rows - 1 : std::min(bottom, rows - 1);
    for (int row = first_row; row <= last_row; ++row) {
        int first = std::max(left, 0);
        int last = std::min(right, columns - 1);
        if (tool == MaskTool::Row) {
            first = 0;
            last = columns - 1;
        } else if (tool == MaskTool::Diagonal) {
            first = std::max(row + low, 0);
            last = std::min(row + high, columns - 1);
        }
        for (int column = first; column <= last; ++column)
            set(row, column);
    }
}

} // namespace attnlab::ui
