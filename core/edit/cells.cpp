#include "core/edit/cells.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace attnlab {
namespace {

/// The flat index of a cell of the matrix at `leading`; `all` are the cells of the matrix.
std::int64_t flat_index(const CellRange& all, std::int64_t leading, std::int64_t row, std::int64_t column) {
    return (leading * all.rows + row) * all.columns + column;
}

} // namespace

CellRange all_cells(const Tensor& tensor) {
    return {0, 0, tensor.rank() > 1 ? tensor.dim(-2) : 1, tensor.rank() > 0 ? tensor.dim(-1) : 1};
}

CellRange bounds_of(const CellRanges& ranges) {
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

Message refusal_of(double value, DType dtype) {
    constexpr double most = 9007199254740992.0; // 2^53: beyond it a double skips integers
    switch (dtype) {
    case DType::Bool:
        if (value != 0.0 && value != 1.0)
            return {ATTNLAB_TEXT("%1 is neither 0 nor 1; this tensor holds true and false"), {to_text(value)}};
        break;
    case DType::Int64:
        if (!(std::abs(value) <= most) || value != std::trunc(value))
            return {ATTNLAB_TEXT("%1 is no whole number; this tensor holds whole numbers"), {to_text(value)}};
        break;
    default:
        break;
    }
    return {};
}

Tensor with_cells(Tensor tensor, std::int64_t leading, const CellRanges& ranges, double value) {
    const auto all = all_cells(tensor);
    for (const auto& range : ranges) {
        const auto inside = clipped(range, all.rows, all.columns);
        const std::vector<double> row_of_it(static_cast<std::size_t>(inside.columns), value);
        for (auto row = inside.top; row < inside.top + inside.rows; ++row)
            tensor.write(flat_index(all, leading, row, inside.left), row_of_it);
    }
    return tensor;
}

Tensor with_block(Tensor tensor, std::int64_t leading, std::int64_t top, std::int64_t left, const Tensor& block) {
    const auto all = all_cells(tensor);
    const auto source = matrix_at(block);
    const auto inside = clipped({top, left, source.rows, source.columns}, all.rows, all.columns);
    for (std::int64_t row = 0; row < inside.rows; ++row)
        tensor.write(flat_index(all, leading, inside.top + row, inside.left),
                     source.row(row).first(static_cast<std::size_t>(inside.columns)));
    return tensor;
}

Tensor resized_tensor(const Tensor& tensor, const Shape& shape) {
    if (shape.size() != tensor.shape().size())
        throw std::invalid_argument("resized_tensor: another rank");
    Tensor result(shape, 0.0, tensor.dtype());
    if (result.size() == 0 || tensor.size() == 0)
        return result;
    const auto& from = tensor.shape();
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

Tensor cells_of(const Tensor& tensor, std::int64_t leading, const CellRange& range) {
    const auto all = all_cells(tensor);
    const auto inside = clipped(range, all.rows, all.columns);
    Tensor cells({inside.rows, inside.columns}, 0.0, tensor.dtype());
    const auto target = cells.mutable_values();
    const auto width = static_cast<std::size_t>(inside.columns);
    for (std::int64_t row = 0; row < inside.rows; ++row)
        tensor.read(flat_index(all, leading, inside.top + row, inside.left),
                    target.subspan(static_cast<std::size_t>(row) * width, width));
    return cells;
}

} // namespace attnlab
