// Edits of the cells of one tensor, as functions from a tensor to a tensor.
#pragma once

#include "core/tensor.h"

#include <QString>

#include <vector>

namespace attnlab::ui {

/// One matrix of one tensor of the document (see matrix_at).
struct MatrixPlace {
    QString tensor;
    std::int64_t leading = 0;
};

/// A rectangle of cells of a matrix.
struct CellRange {
    std::int64_t top = 0;
    std::int64_t left = 0;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    bool operator==(const CellRange&) const = default;
};
using CellRanges = std::vector<CellRange>;

/// The smallest rectangle around all of them.
CellRange boundsOf(const CellRanges& ranges);
/// The part of `range` in a matrix of this size.
CellRange clipped(const CellRange& range, std::int64_t rows, std::int64_t columns);

/// All cells of a tensor's matrices, without reading its numbers.
CellRange allCells(const Tensor& tensor);

/// Every cell of the ranges set to `value`.
Tensor withCells(Tensor tensor, std::int64_t leading, const CellRanges& ranges, double value);
/// `block` (rows, columns) written at a cell; numbers outside are dropped.
Tensor withBlock(Tensor tensor, std::int64_t leading, std::int64_t top, std::int64_t left, const Tensor& block);
/// Another size with the same rank: common content is kept, the rest is zero.
Tensor resizedTensor(const Tensor& tensor, const Shape& shape);
/// The cells of a rectangle as a (rows, columns) tensor of the same type.
Tensor cellsOf(const Tensor& tensor, std::int64_t leading, const CellRange& range);

} // namespace attnlab::ui
