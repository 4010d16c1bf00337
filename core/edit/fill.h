// Filling cells by a rule: what the fill dialog offers.
#pragma once

#include "core/attention.h"
#include "core/edit/cells.h"

#include <optional>
#include <vector>

namespace attnlab {

/// A rule with the settings of all rules; each kind reads its own.
struct Fill {
    enum class Kind { Zeros, Ones, Number, Identity, OneHot, Normal, Uniform, Counting };
    Kind kind = Kind::Normal;
    double number = 1.0;                     ///< Number
    std::optional<std::int64_t> column = {}; ///< OneHot: the column of the one; without it row mod columns
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

/// The kinds that make sense for a type: no normal numbers among true and false.
std::vector<Fill::Kind> fill_kinds_of(DType dtype);

enum class FillScope { Selection, Matrix, Tensor };

/// What a fill covers. Diagonals, one-hot rows and counting start at the corner of the selection's bounds, of the
/// matrix, or of each matrix of the tensor; counting and random draws run on from matrix to matrix.
struct FillArea {
    FillScope scope = FillScope::Tensor;
    std::int64_t leading = 0; ///< the matrix; not read for the whole tensor
    CellRanges cells;         ///< read for a selection
};

/// How many cells that is.
std::int64_t cell_count(const Tensor& tensor, const FillArea& area);

/// Throws Error when what is written on top of numbers that lie in a file takes more than the control's memory_limit,
/// and Cancelled; `name` is the tensor's.
Tensor filled(Tensor tensor, const FillArea& area, const Fill& fill, const RunControl& control = {},
              std::string_view name = "tensor");

} // namespace attnlab
