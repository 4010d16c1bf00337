// Edits of the cells of one tensor, as functions from a tensor to a tensor.
#pragma once

#include "core/message.h"
#include "core/tensor.h"

#include <string>
#include <vector>

namespace attnlab {

/// One matrix of one tensor of a problem (see matrix_at).
struct MatrixPlace {
    std::string tensor;
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
CellRange bounds_of(const CellRanges& ranges);
/// The part of `range` in a matrix of this size.
CellRange clipped(const CellRange& range, std::int64_t rows, std::int64_t columns);

/// All cells of a tensor's matrices, without reading its numbers.
CellRange all_cells(const Tensor& tensor);

/// Why a tensor of this type cannot hold `value`; empty when it can.
Message refusal_of(double value, DType dtype);

/// Every cell of the ranges set to `value`.
Tensor with_cells(Tensor tensor, std::int64_t leading, const CellRanges& ranges, double value);
/// `block` (rows, columns) written at a cell; numbers outside are dropped.
Tensor with_block(Tensor tensor, std::int64_t leading, std::int64_t top, std::int64_t left, const Tensor& block);
/// Another size with the same rank: common content is kept, the rest is zero. Throws
/// std::invalid_argument for another rank.
Tensor resized_tensor(const Tensor& tensor, const Shape& shape);
/// The cells of a rectangle as a (rows, columns) tensor of the same type.
Tensor cells_of(const Tensor& tensor, std::int64_t leading, const CellRange& range);

} // namespace attnlab
