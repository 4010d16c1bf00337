#include "ui/panels/inputs/tensor_edits.h"

#include <algorithm>

namespace attnlab::ui {
namespace {

/// The flat index of a cell of the matrix at `leading`; `all` are the cells of the matrix.
std::int64_t flatIndex(const CellRange& all, std::int64_t leading, std::int64_t row, std::int64_t column) {
    return (leading * all.rows + row) * all.columns + column;
}

} // namespace

CellRange allCells(const Tensor& tensor) {
    return {0, 0, tensor.rank() > 1 ? tensor.dim(-2) : 1, tensor.rank() > 0 ? tensor.dim(-1) : 1};
}

CellRange boundsOf(const CellRanges& ranges) {
    if (ranges.empty())
        return {};
    auto top = ranges.front().top, left = ranges.front().left;
    auto bottom = top, right = left;
    for (const auto& range : ranges) {
        top = std::min(top, range.top);
        left = std::min(left, range.left);
        bottom = std::max(bottom, range.top + range.rows);
        right = std::max(right, range.left + range.columns);
    }
    return {top, left, bottom - top, right - left};
}

CellRange clipped(const CellRange& range, std::int64_t rows, std::int64_t columns) {
    CellRange inside;
    inside.top = std::clamp<std::int64_t>(range.top, 0, rows);
    inside.left = std::clamp<std::int64_t>(range.left, 0, columns);
    inside.rows = std::clamp<std::int64_t>(range.top + range.rows, inside.top, rows) - inside.top;
    inside.columns = std::clamp<std::int64_t>(range.left + range.columns, inside.left, columns) - inside.left;
    return inside;
}

Tensor withCells(Tensor tensor, std::int64_t leading, const CellRanges& ranges, double value) {
    const auto all = allCells(tensor);
    for (const auto& range : ranges) {
        const auto inside = clipped(range, all.rows, all.columns);
        const std::vector<double> row_of_it(static_cast<std::size_t>(inside.columns), value);
        for (auto row = inside.top; row < inside.top + inside.rows; ++row)
            tensor.write(flatIndex(all, leading, row, inside.left), row_of_it);
    }
    return tensor;
}

Tensor withBlock(Tensor tensor, std::int64_t leading, std::int64_t top, std::int64_t left, const Tensor& block) {
    const auto all = allCells(tensor);
    const auto source = matrix_at(block);
    const auto inside = clipped({top, left, source.rows, source.columns}, all.rows, all.columns);
    for (std::int64_t row = 0; row < inside.rows; ++row)
        tensor.write(flatIndex(all, leading, inside.top + row, inside.left),
                     source.row(row).first(static_cast<std::size_t>(inside.columns)));
    return tensor;
}

Tensor resizedTensor(const Tensor& tensor, const Shape& shape) {
    Tensor result(shape, 0.0, tensor.dtype());
    if (result.size() == 0 || tensor.size() == 0)
        return result;
    const auto from = tensor.shape();
    const auto rank = shape.size();
    const auto target = result.mutable_values();
    const auto width = rank == 0 ? std::int64_t{1} : std::min(from.back(), shape.back());
    // Iterates over the kept rows (all axes but the last) like an odometer.
    Shape index(rank, 0);
    while (true) {
        std::int64_t read = 0, write = 0;
        for (std::size_t axis = 0; axis < rank; ++axis) {
            read = read * from[axis] + index[axis];
            write = write * shape[axis] + index[axis];
        }
        tensor.read(read, target.subspan(static_cast<std::size_t>(write), static_cast<std::size_t>(width)));
        auto axis = static_cast<std::ptrdiff_t>(rank) - 2;
        for (; axis >= 0; --axis) {
            const auto at = static_cast<std::size_t>(axis);
            if (++index[at] < std::min(from[at], shape[at]))
                break;
            index[at] = 0;
        }
        if (axis < 0)
            return result;
    }
}

Tensor cellsOf(const Tensor& tensor, std::int64_t leading, const CellRange& range) {
    const auto all = allCells(tensor);
    const auto inside = clipped(range, all.rows, all.columns);
    Tensor cells({inside.rows, inside.columns}, 0.0, tensor.dtype());
    const auto target = cells.mutable_values();
    const auto width = static_cast<std::size_t>(inside.columns);
    for (std::int64_t row = 0; row < inside.rows; ++row)
        tensor.read(flatIndex(all, leading, inside.top + row, inside.left),
                    target.subspan(static_cast<std::size_t>(row) * width, width));
    return cells;
}

} // namespace attnlab::ui
