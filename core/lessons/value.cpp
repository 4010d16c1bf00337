#include "core/lessons/value.h"

#include "core/lab/cover.h"
#include "core/message.h"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab::lessons {
namespace {

std::size_t count_of(const Shape& shape, std::size_t from = 0) {
    std::size_t count = 1;
    for (auto axis = from; axis < shape.size(); ++axis)
        count *= static_cast<std::size_t>(shape[axis]);
    return count;
}

std::size_t axis_from(std::int64_t axis, const Shape& shape) {
    const auto rank = static_cast<std::int64_t>(shape.size());
    if (axis < -rank || axis >= rank)
        throw Error({ATTNLAB_TEXT("axis %1 is not there, the shape is %2"), {std::to_string(axis), to_string(shape)}});
    return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

Value without_optional(Value value) {
    value.shape.erase(value.shape.begin(), value.shape.begin() + static_cast<std::ptrdiff_t>(value.optional));
    value.optional = 0;
    return value;
}

Shape common_shape(const Shape& a, const Shape& b) {
    Shape common(std::max(a.size(), b.size()));
    const auto from_end = [](const Shape& shape, std::size_t k) {
        return k < shape.size() ? shape[shape.size() - 1 - k] : 1;
    };
    for (std::size_t k = 0; k < common.size(); ++k) {
        const auto x = from_end(a, k), y = from_end(b, k);
        if (x != y && x != 1 && y != 1)
            throw Error({ATTNLAB_TEXT("shapes %1 and %2 do not go together"), {to_string(a), to_string(b)}});
        common[common.size() - 1 - k] = x == 1 ? y : x;
    }
    return common;
}

/// The change of the flat offset of `shape` for a step along each axis of `common`; 0 where it is repeated.
std::vector<std::size_t> strides_in(const Shape& shape, const Shape& common) {
    std::vector<std::size_t> strides(common.size(), 0);
    std::size_t stride = 1;
    for (std::size_t k = 0; k < shape.size(); ++k) {
        const auto size = shape[shape.size() - 1 - k];
        strides[common.size() - 1 - k] = size == 1 ? 0 : stride;
        stride *= static_cast<std::size_t>(size);
    }
    return strides;
}

std::string text_of(double value) {
    const double magnitude = std::abs(value);
    if (!std::isfinite(value) || magnitude == 0.0 || (magnitude == std::floor(magnitude) && magnitude < 1e9))
        return to_text(value);
    // Six significant digits.
    const double unit = std::pow(10.0, 5.0 - std::floor(std::log10(magnitude)));
    return to_text(std::isfinite(unit) && unit > 0.0 ? std::round(value * unit) / unit : value);
}

} // namespace

bool Value::holds() const {
    return std::ranges::all_of(cells, [](double cell) { return cell != 0.0; });
}

Value part_of(const Value& given, std::span<const Range> ranges) {
    const bool leaves_out = given.optional > 0 && ranges.size() <= given.shape.size() - given.optional;
    const Value value = leaves_out ? without_optional(given) : given;
    if (ranges.size() > value.shape.size())
        throw Error(
            {ATTNLAB_TEXT("has %1 indices, the shape is %2"), {std::to_string(ranges.size()), to_string(value.shape)}});
    Value part = value;
    part.optional = 0;
    // The last axis first, so that the others keep their indices.
    for (auto axis = ranges.size(); axis-- > 0;) {
        const auto [first, last] = lab::bounds_of(ranges[axis], part.shape[axis]);
        const auto inner = count_of(part.shape, axis + 1);
        const auto size = static_cast<std::size_t>(part.shape[axis]);
        const auto from = static_cast<std::size_t>(first) * inner,
                   length = static_cast<std::size_t>(last - first) * inner;
        std::vector<double> cells;
        for (std::size_t block = 0; block < part.cells.size(); block += size * inner) {
            const auto begin = part.cells.begin() + static_cast<std::ptrdiff_t>(block + from);
            cells.insert(cells.end(), begin, begin + static_cast<std::ptrdiff_t>(length));
        }
        part.cells = std::move(cells);
        if (ranges[axis].single)
            part.shape.erase(part.shape.begin() + static_cast<std::ptrdiff_t>(axis));
        else
            part.shape[axis] = last - first;
    }
    return part;
}

std::int64_t combined_cells(const Value& a, const Value& b) {
    constexpr std::int64_t most = std::int64_t{1} << 26;
    std::int64_t cells = 1;
    for (const auto size : common_shape(a.shape, b.shape)) {
        if (size > 0 && cells > most / size)
            throw Error({ATTNLAB_TEXT("shapes %1 and %2 make more than %3 numbers"),
                         {to_string(a.shape), to_string(b.shape), std::to_string(most)}});
        cells *= size;
    }
    return cells;
}

Value combined(const Value& a, const Value& b, const std::function<double(double, double)>& function) {
    Value result{common_shape(a.shape, b.shape), {}};
    result.cells.resize(static_cast<std::size_t>(combined_cells(a, b)));
    const auto step_a = strides_in(a.shape, result.shape), step_b = strides_in(b.shape, result.shape);
    for (std::size_t k = 0; k < result.cells.size(); ++k) {
        std::size_t rest = k, at_a = 0, at_b = 0;
        for (auto axis = result.shape.size(); axis-- > 0;) {
            const auto size = static_cast<std::size_t>(result.shape[axis]);
            at_a += rest % size * step_a[axis];
            at_b += rest % size * step_b[axis];
            rest /= size;
        }
        result.cells[k] = function(a.cells[at_a], b.cells[at_b]);
    }
    if (result.shape.size() == a.shape.size() || result.shape.size() == b.shape.size())
        result.optional = result.shape.size() == a.shape.size() ? a.optional : b.optional;
    if (a.shape.size() == b.shape.size())
        result.optional = std::min(a.optional, b.optional);
    return result;
}

Value cell_by_cell(const Value& value, const std::function<double(double)>& function) {
    Value result = value;
    result.truth = false;
    std::ranges::transform(result.cells, result.cells.begin(), function);
    return result;
}

Value reduced(const Value& given, std::optional<std::int64_t> axis,
              const std::function<double(std::span<const double>)>& function) {
    if (given.cells.empty())
        throw Error({ATTNLAB_TEXT("has no cells, the shape is %1"), {to_string(given.shape)}});
    if (!axis)
        return Value::number(function(given.cells));
    const auto matrix_rank = static_cast<std::int64_t>(given.shape.size() - given.optional);
    const bool leaves_out = given.optional > 0 && *axis < matrix_rank;
    Value value = leaves_out ? without_optional(given) : given;
    const auto along = axis_from(*axis, value.shape);
    const auto size = static_cast<std::size_t>(value.shape[along]), inner = count_of(value.shape, along + 1);
    Value result{value.shape, {}};
    result.shape.erase(result.shape.begin() + static_cast<std::ptrdiff_t>(along));
    std::vector<double> line(size);
    for (std::size_t outer = 0; outer < value.cells.size(); outer += size * inner)
        for (std::size_t k = 0; k < inner; ++k) {
            for (std::size_t j = 0; j < size; ++j)
                line[j] = value.cells[outer + j * inner + k];
            result.cells.push_back(function(line));
        }
    return result;
}

std::span<const double> row_of(const Value& value, std::string_view function) {
    const auto long_axes = std::ranges::count_if(value.shape, [](std::int64_t size) { return size != 1; });
    if (long_axes > 1)
        throw Error({ATTNLAB_TEXT("%1 takes a vector, this has the shape %2"),
                     {std::string(function), to_string(value.shape)}});
    return value.cells;
}

double number_of(const Value& value, std::string_view what) {
    if (value.cells.size() != 1)
        throw Error(
            {ATTNLAB_TEXT("%1 takes one number, this has the shape %2"), {std::string(what), to_string(value.shape)}});
    return value.cells.front();
}

std::int64_t integer_of(const Value& value, std::string_view what) {
    const double number = number_of(value, what);
    if (number != std::round(number) || std::abs(number) > 1e15)
        throw Error({ATTNLAB_TEXT("%1 takes an integer, this is %2"), {std::string(what), to_text(number)}});
    return static_cast<std::int64_t>(number);
}

std::int64_t rank_of(const Value& given) {
    Shape shape = given.shape;
    while (shape.size() > 2 && shape.front() == 1)
        shape.erase(shape.begin());
    if (shape.size() != 2)
        throw Error({ATTNLAB_TEXT("%1 takes a matrix, this has the shape %2"), {"rank", to_string(given.shape)}});
    if (given.cells.empty())
        return 0;
    // Not by singular values, whose code takes seconds to compile.
    using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::ColPivHouseholderQR<Matrix> factors(Eigen::Map<const Matrix>(given.cells.data(), shape[0], shape[1]));
    factors.setThreshold(static_cast<double>(std::max(shape[0], shape[1])) * std::numeric_limits<double>::epsilon());
    return factors.rank();
}

std::string shown(const Value& value) {
    constexpr std::size_t most = 8;
    if (value.truth)
        return value.holds() ? "true" : "false";
    if (value.shape.empty() || value.cells.size() == 1)
        return text_of(value.cells.front());
    if (value.cells.size() <= most) {
        std::string text;
        for (const double cell : value.cells)
            text += (text.empty() ? "[" : ", ") + text_of(cell);
        return (text.empty() ? "[" : text) + "]";
    }
    const auto [least, largest] = std::ranges::minmax(value.cells);
    return text_of(least) + " to " + text_of(largest) + " (" + std::to_string(value.cells.size()) + " cells)";
}

} // namespace attnlab::lessons
