#include "core/verify/array_comparison.h"

#include "core/lookup.h"
#include "core/recognition/array_names.h"
#include "core/recognition/layout.h"
#include "core/recognition/recognition.h"
#include "core/rounding.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

namespace attnlab::verify {
namespace {

char letter_of(Axis axis) {
    switch (axis) {
    case Axis::Batch:
        return 'B';
    case Axis::Head:
        return 'H';
    case Axis::Query:
        return 'L';
    case Axis::Key:
        return 'S';
    case Axis::Feature:
        return 'E';
    default:
        return '\0';
    }
}

Shape without_ones(Shape shape) {
    std::erase(shape, 1);
    return shape;
}

std::string named_axes(std::string_view letters) {
    std::string text;
    for (const char letter : letters)
        text += (text.empty() ? "(" : ", ") + std::string(1, letter);
    return text + ")";
}

/// The sizes of the axes that `letters` names; nullopt for a letter that the stage lacks or that occurs twice.
std::optional<Shape> sizes_of(std::string_view letters, const Stage& stage, std::string_view own) {
    Shape sizes;
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const auto place = own.find(letters[i]);
        if (place == own.npos || letters.find(letters[i], i + 1) != letters.npos)
            return std::nullopt;
        sizes.push_back(stage.value.shape()[place]);
    }
    return sizes;
}

/// The orders in which the heads of an array of that shape lie beside each other in its last axis.
std::vector<std::string> merged_orders(const Shape& given, const Stage& stage) {
    if (axes_of(stage) != "BHLE" || stage.value.dim(1) == 1)
        return {};
    const auto B = stage.value.dim(0), L = stage.value.dim(2), width = stage.value.dim(1) * stage.value.dim(3);
    std::vector<std::string> orders;
    if (given == Shape{B, L, width})
        orders.emplace_back("BLE");
    if (given == Shape{L, B, width})
        orders.emplace_back("LBE");
    if (B == 1 && given == Shape{L, width})
        orders.emplace_back("LE");
    return orders;
}

/// The usual orders, other than the stage's, in which an array of that shape would fit; the first other one where it
/// fits in none of them.
std::vector<std::string> fitting_orders(const Shape& shape, const Stage& stage) {
    auto orders = orders_for(shape, stage);
    std::erase(orders, axes_of(stage));
    const auto usual = std::ranges::count_if(orders, is_usual_order); // they come first
    orders.resize(std::min(orders.size(), std::max<std::size_t>(1, static_cast<std::size_t>(usual))));
    return orders;
}

Tensor in_order(const Tensor& given, const Stage& stage, std::string_view name, std::string_view axes) {
    const auto own = axes_of(stage);
    const auto& shape = stage.value.shape();
    if (!merged_layout(given.shape(), stage, axes).empty()) {
        auto parted = given.shape();
        parted.back() = stage.value.dim(1);
        parted.push_back(stage.value.dim(3));
        return in_order(given.reshaped(parted), stage, name, std::string(axes.substr(0, axes.size() - 1)) + "HE");
    }
    const auto sizes = sizes_of(axes, stage, own);
    bool left_out_is_one = true;
    for (std::size_t i = 0; i < own.size(); ++i)
        left_out_is_one = left_out_is_one && (axes.find(own[i]) != axes.npos || shape[i] == 1);
    if (!sizes || !left_out_is_one)
        throw Error(
            {ATTNLAB_TEXT("layout: has '%1', expected the axes of %2, which are %3 with shape %4, in any order; "
                          "those of size 1 may be left out"),
             {std::string(axes), stage.name,
              own.empty() ? Argument(Message(ATTNLAB_TEXT("no letters"))) : Argument(own), to_string(shape)}});
    if (given.shape() != *sizes)
        throw Error({ATTNLAB_TEXT("%1: has shape %2, expected %3 = %4 for the stage %5, whose shape is %6"),
                     {std::string(name), to_string(given.shape()), named_axes(axes), to_string(*sizes), stage.name,
                      to_string(shape)}});
    std::vector<int> order;
    for (const char letter : own)
        if (const auto place = axes.find(letter); place != axes.npos)
            order.push_back(static_cast<int>(place));
    return permuted(given, order).reshaped(shape);
}

} // namespace

std::string axes_of(const Stage& stage) {
    std::string letters;
    for (const auto axis : stage.axes)
        letters += letter_of(axis);
    return letters.find('\0') == letters.npos && letters.size() == stage.value.shape().size() ? letters : "";
}

bool is_usual_order(std::string_view order) {
    constexpr std::string_view whole[] = {"BHLE", "BLHE", "LBHE", "BHSE", "BSHE", "SBHE", "BHLS", "BLHS", "LBHS"};
    return std::ranges::any_of(whole, [&](std::string_view usual) {
        std::string left; // without axes that the order lacks
        std::ranges::copy_if(usual, std::back_inserter(left),
                             [&](char axis) { return order.find(axis) != order.npos; });
        return left == order;
    });
}

std::vector<std::string> orders_for(const Shape& given, const Stage& stage) {
    const auto own = axes_of(stage);
    std::string several; // axes of size 1 may be missing, but only all together
    for (std::size_t i = 0; i < own.size(); ++i)
        if (stage.value.dim(static_cast<int>(i)) != 1)
            several += own[i];
    std::vector<std::string> orders;
    for (auto order : {own, several}) {
        if (order.size() != given.size() || !orders.empty())
            continue;
        const auto first = order;
        std::ranges::sort(order);
        do {
            if (sizes_of(order, stage, own) == given)
                orders.insert(order == first ? orders.begin() : orders.end(), order);
        } while (std::ranges::next_permutation(order).found);
        if (!orders.empty())
            std::stable_partition(orders.begin() + (orders.front() == first), orders.end(), is_usual_order);
    }
    return orders.empty() ? merged_orders(given, stage) : orders;
}

std::string merged_layout(const Shape& given, const Stage& stage, std::string_view axes) {
    const auto merged = merged_orders(given, stage);
    if (!axes.empty())
        return std::ranges::find(merged, axes) == merged.end() ? std::string() : std::string(axes);
    const bool alike = stage.axes.size() == 4 && stage.value.dim(0) * stage.value.dim(2) == 1; // the same numbers
    const bool fits = without_ones(given) == without_ones(stage.value.shape());
    return fits || merged.empty() || (merged.size() > 1 && !alike) || orders_for(given, stage) != merged
               ? std::string()
               : merged.front();
}

std::vector<const HeldArray*> arrays_for(const Contents& contents, const Stage& stage) {
    const auto last = std::string_view(stage.name).substr(prefix_of(stage.name).size());
    std::vector<const HeldArray*> named, unnamed;
    for (const auto& array : contents.arrays) {
        const auto meaning = known_name(array.name);
        if (array.name == stage.name)
            return {&array};
        if (meaning && meaning->role == last)
            named.push_back(&array);
        else if (!meaning && without_ones(array.tensor.shape()) == without_ones(stage.value.shape()))
            unnamed.push_back(&array);
    }
    return named.empty() ? unnamed : named;
}

const HeldArray& array_for(const Contents& contents, const Stage& stage, std::string_view name) {
    const auto asked = std::ranges::find(contents.arrays, name, &HeldArray::name);
    if (!name.empty()) {
        if (asked == contents.arrays.end())
            throw Error({ATTNLAB_TEXT("%1: is not among the arrays to compare with: %2"),
                         {std::string(name), held_text(contents)}});
        return *asked;
    }
    if (contents.arrays.size() == 1)
        return contents.arrays.front();
    const auto candidates = arrays_for(contents, stage);
    if (candidates.size() != 1)
        throw Error({ATTNLAB_TEXT("which array shall be compared with the stage %1 of shape %2? There are: %3"),
                     {stage.name, to_string(stage.value.shape()), held_text(contents)}});
    return *candidates.front();
}

Tensor fitted(const Tensor& given, const Stage& stage, std::string_view name, std::string_view axes) {
    if (!axes.empty())
        return in_order(given, stage, name, axes);
    const auto& shape = stage.value.shape();
    if (without_ones(given.shape()) == without_ones(shape))
        return given.reshaped(shape);
    if (const auto merged = merged_layout(given.shape(), stage); !merged.empty())
        return in_order(given, stage, name, merged);
    const auto orders = fitting_orders(given.shape(), stage);
    if (orders.size() > 1) {
        throw Error({ATTNLAB_TEXT("%1: has shape %2, expected %3 as the stage %4 has (axes of size 1 may be missing); "
                                  "it would fit in the layouts %5"),
                     {std::string(name), to_string(given.shape()), to_string(shape), stage.name, listed(orders)}});
    }
    if (!orders.empty())
        throw Error({ATTNLAB_TEXT("%1: has shape %2, expected %3 as the stage %4 has (axes of size 1 may be missing); "
                                  "in the layout %5 it would fit"),
                     {std::string(name), to_string(given.shape()), to_string(shape), stage.name, orders.front()}});
    throw Error({ATTNLAB_TEXT("%1: has shape %2, expected %3 as the stage %4 has (axes of size 1 may be missing)"),
                 {std::string(name), to_string(given.shape()), to_string(shape), stage.name}});
}

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
    result.comparison = compare(of_exact, of_given, exact.name); // the second minus the first
    std::swap(result.comparison.a_from_b, result.comparison.b_from_a);
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
