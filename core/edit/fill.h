// Fills cells by a rule of the fill dialog.
#pragma once

#include "core/attention.h"
#include "core/edit/cells.h"

#include <optional>
#include <vector>

namespace attnlab {

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

} // namespace attnlab
