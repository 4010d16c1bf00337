#include "core/explain/trace_numbers.h"

#include <algorithm>
#include <cmath>

namespace attnlab::explain {
namespace {

std::int64_t size_along(const Stage& stage, Axis axis) {
    const auto found = std::ranges::find(stage.axes, axis);
    return found == stage.axes.end() ? 0 : stage.value.dim(static_cast<int>(found - stage.axes.begin()));
}

bool is_leading(Axis axis) {
    return axis == Axis::Tile || axis == Axis::Hash || axis == Axis::Batch || axis == Axis::Head;
}

/// The flat index of a number of a stage.
std::optional<std::int64_t> flat_index(const Stage& stage, std::int64_t batch, std::int64_t head, std::int64_t row,
                                       std::int64_t column) {
    const auto& shape = stage.value.shape();
    const auto leading =
        static_cast<std::size_t>(std::ranges::find_if_not(stage.axes, is_leading) - stage.axes.begin());
    const auto inner = shape.size() - leading;
    const bool tiled = stage.axes.front() == Axis::Tile || stage.axes.front() == Axis::Hash;
    if (inner > 2)
        return std::nullopt;
    std::int64_t flat = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        std::int64_t index = 0;
        if (axis >= leading)
            index = inner == 2 && axis + 1 == shape.size() ? column : row;
        else if (stage.axes[axis] == Axis::Batch)
            index = batch;
        else if (stage.axes[axis] == Axis::Head)
            index = head;
        else
            index = inner == 2 ? shape[axis] - 1 : column;
        if (index < 0 || index >= shape[axis])
            return std::nullopt;
        flat = flat * shape[axis] + index;
    }
    return inner == 2 || tiled || column == 0 ? std::optional(flat) : std::nullopt;
}

std::optional<double> number_at(const Stage& stage, int query_heads, int batch, int head, std::int64_t row,
                                std::int64_t column) {
    const auto heads = size_along(stage, Axis::Head);
    if (stage.axes.empty() || stage.axes.size() != stage.value.shape().size() || head >= query_heads ||
        (heads > 0 && head < 0))
        return std::nullopt;
    const auto flat = flat_index(stage, batch, heads > 0 ? head * heads / query_heads : 0, row, column);
    return flat ? std::optional(stage.value.value(*flat)) : std::nullopt;
}

} // namespace

int query_heads(const Trace& trace) {
    std::int64_t heads = 1;
    for (const auto& stage : trace.stages)
        heads = std::max(heads, size_along(stage, Axis::Head));
    return static_cast<int>(heads);
}

std::optional<double> number_at(const Trace& trace, const Stage& stage, int batch, int head, std::int64_t row,
                                std::int64_t column) {
    return number_at(stage, query_heads(trace), batch, head, row, column);
}

std::optional<HeadNumbers> over_heads(const Trace& trace, const Stage& stage, int batch, std::int64_t row,
                                      std::int64_t column) {
    const int heads = query_heads(trace);
    HeadNumbers numbers;
    for (int head = 0; head < heads; ++head) {
        const auto number = number_at(stage, heads, batch, head, row, column);
        if (!number)
            return std::nullopt;
        numbers.heads.push_back(*number);
        numbers.mean += *number / heads;
    }
    return numbers;
}

double unit_roundoff(DType type) {
    switch (type) {
    case DType::Float64:
        return 0x1p-53;
    case DType::Float32:
        return 0x1p-24;
    case DType::Float16:
        return 0x1p-11;
    case DType::BFloat16:
        return 0x1p-8;
    case DType::Bool:
    case DType::Int64:
        break;
    }
    return 0.0;
}

Precision precision_of(std::initializer_list<DType> stored) {
    Precision precision;
    for (const DType type : stored)
        if (unit_roundoff(type) > unit_roundoff(precision.stored))
            precision = {DType::Float32, type};
    return precision;
}

bool same_number(double given, double computed_again, const Precision& precision, std::int64_t terms, double size) {
    if (given == computed_again || (std::isnan(given) && std::isnan(computed_again)))
        return true;
    const double largest_exponent = precision.computed == DType::Float64 ? 745.0 : 104.0;
    const double error = (static_cast<double>(terms) + largest_exponent) * unit_roundoff(precision.computed) +
                         unit_roundoff(precision.stored);
    return std::abs(given - computed_again) <= 2.0 * error * size; // false for what is not finite
}

} // namespace attnlab::explain
