#include "core/verify/array_comparison.h"

#include "core/rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab::verify {
namespace {

bool alike(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

Shape index_of(std::size_t cell, const Shape& shape) {
    Shape index(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        const auto size = static_cast<std::size_t>(shape[axis]);
        index[axis] = static_cast<std::int64_t>(cell % size);
        cell /= size;
    }
    return index;
}

bool is_floating(DType type) { return type != DType::Bool && type != DType::Int64; }

void count(NonfiniteCells& cells, double given, double exact) {
    cells.given_nan += std::isnan(given);
    cells.given_infinite += std::isinf(given);
    cells.exact_nan += std::isnan(exact);
    cells.exact_infinite += std::isinf(exact);
    cells.alike += !std::isfinite(given) && alike(given, exact);
}

/// By rows; a stage without axes is one row of one cell.
Tensor largest_of_rows(const Stage& difference) {
    auto shape = difference.value.shape();
    const auto width = shape.empty() ? 1 : shape.back();
    if (!shape.empty())
        shape.pop_back();
    Tensor rows(shape, std::numeric_limits<double>::quiet_NaN());
    const auto largest = rows.mutable_values();
    const auto values = difference.value.values();
    for (std::size_t k = 0; k < values.size(); ++k)
        if (double& row = largest[k / static_cast<std::size_t>(width)]; std::isfinite(values[k]))
            row = std::isnan(row) ? std::abs(values[k]) : std::max(row, std::abs(values[k]));
    return rows;
}

} // namespace

DType narrowest_type(const Tensor& tensor) {
    if (!is_floating(tensor.dtype()))
        return tensor.dtype();
    const auto values = tensor.values();
    if (std::ranges::none_of(values, [](double value) { return std::isfinite(value); }))
        return tensor.dtype(); // NaN and infinity are of every type
    for (const auto type : {DType::BFloat16, DType::Float16, DType::Float32}) {
        if (type == tensor.dtype())
            return type;
        const bool wider = tensor.dtype() == DType::Float32 || tensor.dtype() == DType::Float64;
        if (wider && std::ranges::all_of(values, [&](double value) { return alike(rounded(value, type), value); }))
            return type;
    }
    return tensor.dtype();
}

ArrayComparison compare_array(const Stage& exact, const Tensor& given) {
    Trace of_given, of_exact;
    of_given.stages.push_back(exact);
    of_given.stages.back().value = given;
    of_exact.stages.push_back(exact);
    ArrayComparison result;
    result.comparison = compare(of_given, of_exact, exact.name);
    auto& difference = result.comparison.difference;
    difference.operation = {ATTNLAB_TEXT("given − exact")};
    result.given = given;
    result.type = given.dtype();
    result.held_as = narrowest_type(given);
    result.rows = largest_of_rows(difference);

    double squares = 0.0, size = 0.0, sum_of_ulps = 0.0, largest = 0.0;
    Ulps ulps{result.held_as, 0.0, 0.0};
    const auto of_both = difference.value.values();
    for (std::size_t k = 0; k < of_both.size(); ++k) {
        const double mine = exact.value.values()[k], theirs = given.values()[k], error = std::abs(of_both[k]);
        if (!std::isfinite(mine) || !std::isfinite(theirs)) {
            count(result.not_finite, theirs, mine);
            continue;
        }
        squares += error * error;
        size += mine * mine;
        if (error > largest) {
            largest = error;
            result.worst = Place{index_of(k, exact.value.shape()), theirs, mine};
        }
        const double apart = error == 0.0 ? 0.0 : error / ulp(mine, ulps.type);
        ulps.largest = std::max(ulps.largest, apart);
        sum_of_ulps += apart;
    }
    const auto cells = result.comparison.all.cells;
    result.relative = squares == 0.0 ? 0.0 : std::sqrt(squares / size);
    ulps.mean = cells > 0 ? sum_of_ulps / static_cast<double>(cells) : 0.0;
    if (is_floating(result.type))
        result.ulps = ulps;
    return result;
}

double default_tolerance(DType type) {
    switch (type) {
    case DType::BFloat16:
        return 1.6e-2;
    case DType::Float16:
        return 2e-3;
    case DType::Float32:
        return 1e-5;
    default:
        return 1e-9;
    }
}

double default_tolerance(DType type, const Trace& trace) {
    const bool in_float64 = trace.find("masked") || trace.find("weights");
    return std::max(default_tolerance(type), default_tolerance(in_float64 ? DType::Float64 : DType::Float32));
}

std::int64_t cells_beyond(const ArrayComparison& comparison, const Stage& exact, double tolerance) {
    std::int64_t beyond = 0;
    const auto given = comparison.given.values(), mine = exact.value.values();
    for (std::size_t k = 0; k < given.size(); ++k)
        if (!alike(given[k], mine[k]))
            beyond += !(std::abs(given[k] - mine[k]) <= tolerance + tolerance * std::abs(mine[k])) ||
                      !std::isfinite(given[k]) || !std::isfinite(mine[k]);
    return beyond;
}

} // namespace attnlab::verify
