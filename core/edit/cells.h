// Edits of the cells of one tensor: setting, filling, pasting.
#pragma once

#include "core/attention.h"
#include "core/io/csv.h"
#include "core/message.h"
#include "core/run_control.h"
#include "core/tensor.h"

#include <optional>
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
/// std::invalid_argument for another rank; Cancelled.
Tensor resized_tensor(const Tensor& tensor, const Shape& shape, const RunControl& control = {});
/// The cells of a rectangle as a (rows, columns) tensor of the same type.
Tensor cells_of(const Tensor& tensor, std::int64_t leading, const CellRange& range);

// Fills cells by a rule of the fill dialog.

/// A rule with the settings of all kinds; each kind reads its own.
struct Fill {
    enum class Kind { Zeros, Ones, Number, Identity, OneHot, Normal, Uniform, Counting };
    Kind kind = Kind::Normal;
    double number = 1.0;                     ///< Number
    std::optional<std::int64_t> column = {}; ///< OneHot: the column of the one; nullopt: row mod columns
    double mean = 0.0;                       ///< Normal
    double deviation = 1.0;                  ///< Normal
    double low = -1.0;                       ///< Uniform: from low to just below high
    double high = 1.0;                       ///< Uniform
    double start = 0.0;                      ///< Counting
    double step = 1.0;                       ///< Counting
    std::uint64_t seed = 1;                  ///< Normal, Uniform
    bool operator==(const Fill&) const = default;

    bool is_random() const { return kind == Kind::Normal || kind == Kind::Uniform; }
};

/// The kinds that suit a type: no normal numbers for booleans.
std::vector<Fill::Kind> fill_kinds_of(DType dtype);

enum class FillScope { Selection, Matrix, Tensor };

/// The cells to fill. Diagonals, one-hot rows and counting start at the corner of the selection's bounds, of the
/// matrix, or of each matrix of the tensor; counting and random draws continue from matrix to matrix.
struct FillArea {
    FillScope scope = FillScope::Tensor;
    std::int64_t leading = 0; ///< the matrix; ignored for the whole tensor
    CellRanges cells;         ///< used for a selection
};

/// The number of these cells.
std::int64_t cell_count(const Tensor& tensor, const FillArea& area);

/// Throws Error when the numbers written on top of a file-backed tensor exceed the control's memory_limit, and
/// Cancelled; `name` is the tensor's.
Tensor filled(Tensor tensor, const FillArea& area, const Fill& fill, const RunControl& control = {},
              std::string_view name = "tensor");

// A table of numbers pasted into a tensor.

/// What a paste makes of a problem.
struct Pasted {
    std::optional<AttentionProblem> problem; ///< nothing: refused, the message says why
    CellRange cells;                         ///< where the numbers went
    Message message;                         ///< what the user should know; may be empty
};

/// One number fills the selection. A block overwrites from the corner of the selection on and is clipped, wherever that
/// corner is. Labels that come along become token labels where the axis has tokens.
Pasted pasted(const AttentionProblem& problem, const MatrixPlace& place, const CellRanges& selection,
              const io::Table& table, const RunControl& control = {});

/// The block replaces the tensor, size included; other inputs follow as in resized(), and the message names them. A
/// block of more than two axes replaces the tensor in pasted(), too, and gives it another number of axes where it may
/// have it.
Pasted pasted_as_tensor(const AttentionProblem& problem, const MatrixPlace& place, const io::Table& table,
                        const RunControl& control = {});

} // namespace attnlab
