// The values of lesson expressions: arrays and truth values.
#pragma once

#include "core/lab/board.h"
#include "core/tensor.h"

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace attnlab::lessons {

struct Value {
    Shape shape; ///< empty: one number
    std::vector<double> cells = {0.0};
    bool truth = false;       ///< each cell is true (1) or false (0)
    std::size_t optional = 0; ///< this many leading axes are a batch and a head of size 1, and may be omitted

    static Value number(double value) { return {{}, {value}}; }
    static Value yes_or_no(bool value) { return {{}, {value ? 1.0 : 0.0}, true}; }
    /// True when every cell is true.
    bool holds() const;
};

/// All functions of this file throw Error with a message without column and text.

/// A part of one axis: [first, last), or the single index `first` where `single`.
using Range = lab::CellRange; ///< negative ends count from the end
Value part_of(const Value& value, std::span<const Range> ranges);

/// The number of cells of combined().
std::int64_t combined_cells(const Value& a, const Value& b);
/// Cell by cell; sizes 1 and missing leading axes are repeated, as in NumPy.
Value combined(const Value& a, const Value& b, const std::function<double(double, double)>& function);
Value cell_by_cell(const Value& value, const std::function<double(double)>& function);

/// `function` over all cells, or along one axis (negative: from the end).
Value reduced(const Value& value, std::optional<std::int64_t> axis,
              const std::function<double(std::span<const double>)>& function);

/// The cells of a value with a single row, ignoring axes of size 1. `function` is used in messages.
std::span<const double> row_of(const Value& value, std::string_view function);
/// The value's only number.
double number_of(const Value& value, std::string_view what);
std::int64_t integer_of(const Value& value, std::string_view what);
/// Numerical rank of a matrix, by QR with column pivoting: pivots above its larger size times the rounding unit times
/// the largest.
std::int64_t rank_of(const Value& value);

/// "0.25", "[0.25, 0.75]", "0.1 to 0.4 (12 cells)": a measured value with six significant digits, and integers
/// with all of them.
std::string shown(const Value& value);

} // namespace attnlab::lessons
