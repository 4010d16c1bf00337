// What expressions of lessons compute with: arrays, and whether something is true.
#pragma once

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
    bool truth = false;       ///< says yes (1) or no (0) in each cell
    std::size_t optional = 0; ///< so many leading axes are one batch and one head, and may be left out

    static Value number(double value) { return {{}, {value}}; }
    static Value yes_or_no(bool value) { return {{}, {value ? 1.0 : 0.0}, true}; }
    /// Every cell says yes.
    bool holds() const;
};

/// All members of this file throw Error with a message that names neither column nor text.

/// A part of one axis: [first, last), or the single index `first` where `single`.
struct Range {
    std::optional<std::int64_t> first; ///< negative: from the end
    std::optional<std::int64_t> last;
    bool single = false;
};
Value part_of(const Value& value, std::span<const Range> ranges);

/// Cell by cell; sizes 1 and missing leading axes are repeated, as in NumPy.
Value combined(const Value& a, const Value& b, const std::function<double(double, double)>& function);
Value cell_by_cell(const Value& value, const std::function<double(double)>& function);

/// `function` over all cells, or along one axis (negative: from the end).
Value reduced(const Value& value, std::optional<std::int64_t> axis,
              const std::function<double(std::span<const double>)>& function);

/// The cells of something that is one row but for axes of size 1. `function` is who asks.
std::span<const double> row_of(const Value& value, std::string_view function);
/// The one number that it is.
double number_of(const Value& value, std::string_view what);
std::int64_t integer_of(const Value& value, std::string_view what);
/// Numerical rank of a matrix: singular values above its larger size times the rounding unit times the largest.
std::int64_t rank_of(const Value& value);

/// "0.25", "[0.25, 0.75]", "0.1 to 0.4 (12 cells)": for people who read what was measured. `number` writes a number
/// that is no integer; six significant digits where it is empty.
std::string shown(const Value& value, const std::function<std::string(double)>& number = nullptr);

} // namespace attnlab::lessons
