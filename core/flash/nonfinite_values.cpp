#include "core/flash/nonfinite_values.h"

#include "core/flash/cpu_backend.h"
#include "core/flash/panel_mask.h"
#include "core/flash/parallel.h"
#include "core/tensor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace attnlab::flash {
namespace {

constexpr std::int64_t numbers_at_once = 1 << 16;
/// With scores up to this, the lse in float32 has an error below 1 and separates zero weights from others.
constexpr double surely_near = 1e5;

/// Weights of double underflow at this distance from the lse, up to the error of an lse in float32. There the weight 0,
/// which turns an infinite value into NaN, and the smallest weights, which do not, are distinguished in float64.
constexpr double nearest_underflow = 600.0, farthest_underflow = 850.0;

/// Calls take(offset, numbers) for the numbers of a tensor in pieces, which are copied only from a file.
template <class Take>
void each_piece(const Tensor& tensor, const RunControl& control, Take take) {
    const bool is_held = tensor.in_memory();
    std::vector<double> piece(static_cast<std::size_t>(is_held ? 0 : std::min(numbers_at_once, tensor.size())));
    for (std::int64_t first = 0; first < tensor.size(); first += numbers_at_once) {
        control.checkpoint();
        const auto count = static_cast<std::size_t>(std::min(numbers_at_once, tensor.size() - first));
        if (!is_held)
            tensor.read(first, std::span(piece).first(count));
        take(first, is_held ? tensor.values().subspan(static_cast<std::size_t>(first), count)
                            : std::span<const double>(piece).first(count));
    }
}

/// Calls take(offset, number) for the numbers that are NaN or infinite.
template <class Take>
void each_odd(const Tensor& tensor, const RunControl& control, Take take) {
    each_piece(tensor, control, [&](std::int64_t first, std::span<const double> part) {
        for (std::size_t k = 0; k < part.size(); ++k)
            if (!std::isfinite(part[k]))
                take(first + static_cast<std::int64_t>(k), part[k]);
    });
}

/// True for finite numbers from ordinary_size on: one comparison, as the bits of magnitudes are in their order.
bool is_ordinary(double number) {
    constexpr auto first = std::bit_cast<std::uint64_t>(ordinary_size), end = std::bit_cast<std::uint64_t>(infinity);
    const auto bits = std::bit_cast<std::uint64_t>(number) & ~(std::uint64_t{1} << 63);
    return bits - first < end - first;
}

double largest_finite(std::span<const float> numbers) {
    double largest = 0.0;
    for (const float number : numbers)
        if (std::isfinite(number))
            largest = std::max(largest, std::abs(static_cast<double>(number)));
    return largest;
}

/// The numbers of a tensor times 2^exponent, 0 for those that are NaN or infinite.
class WithoutOdd : public NumberSource {
public:
    WithoutOdd(Tensor tensor, int exponent) : tensor_(std::move(tensor)), exponent_(exponent) {}

    std::int64_t size() const override { return tensor_.size(); }
    void read(std::int64_t first, std::span<double> values) const override { read_as(first, values); }
    void read(std::int64_t first, std::span<float> values) const override {
        if (exponent_ == 0)
            return read_as(first, values);
        std::vector<double> exact(values.size()); // as float32 they may be too small
        read_as(first, std::span(exact));
        std::transform(exact.begin(), exact.end(), values.begin(),
                       [](double value) { return static_cast<float>(value); });
    }

private:
    template <class Number>
    void read_as(std::int64_t first, std::span<Number> values) const {
        tensor_.read(first, values);
        for (auto& value : values)
            if (!std::isfinite(value))
                value = 0;
            else if (exponent_ != 0)
                value = std::ldexp(value, exponent_);
    }

    const Tensor tensor_;
    const int exponent_;
};

/// The output of one row, to which the non-finite values of its head are added.
class OutputRow {
public:
    explicit OutputRow(std::span<float> output) : output_(output) {}

    bool all_nan() const { return nan_ == output_.size(); }
    void add(double weight, const float* values) {
        for (std::size_t c = 0; c < output_.size(); ++c) {
            if (std::isfinite(values[c]) || std::isnan(output_[c]))
                continue;
            output_[c] = static_cast<float>(static_cast<double>(output_[c]) + weight * static_cast<double>(values[c]));
            nan_ += std::isnan(output_[c]);
        }
    }

private:
    std::span<float> output_;
    std::size_t nan_ = 0;
};

} // namespace

NumberRange range_of(const Tensor& tensor, const RunControl& control) {
    NumberRange range;
    double smallest = infinity;
    std::int64_t others = 0;
    each_piece(tensor, control, [&](std::int64_t first, std::span<const double> part) {
        for (std::size_t k = 0; k < part.size(); ++k) {
            if (is_ordinary(part[k]))
                continue;
            ++others;
            const double size = std::abs(part[k]);
            if (!std::isfinite(size)) {
                if (range.odd.count++ == 0)
                    range.odd.first = first + static_cast<std::int64_t>(k);
            } else if (size > 0.0) {
                range.largest = std::max(range.largest, size);
                smallest = std::min(smallest, size);
            }
        }
    });
    if (others < tensor.size()) {
        range.largest = ordinary_size;
        smallest = std::min(smallest, ordinary_size);
    }
    range.smallest = std::isfinite(smallest) ? smallest : 0.0;
    return range;
}

NonfiniteCount count_odd(const Tensor& tensor, const RunControl& control) { return range_of(tensor, control).odd; }

NonfiniteValues::NonfiniteValues(const ResolvedProblem& problem, const attnlab::flash::Shape& shape,
                                 const RunControl& control)
    : problem_(problem), shape_(shape) {
    const auto& tensor = problem.tensors.find("value")->second;
    each_odd(tensor, control, [&](std::int64_t at, double value) {
        const auto row = at / shape.Ev;
        auto& head = heads_[row / shape.S];
        head.any_infinite = head.any_infinite || std::isinf(value);
        if (head.keys.empty() || head.keys.back() != row % shape.S) {
            head.keys.push_back(row % shape.S);
            head.values.resize(head.values.size() + static_cast<std::size_t>(shape.Ev));
            tensor.read(row * shape.Ev, std::span(head.values).last(static_cast<std::size_t>(shape.Ev)));
        }
    });
}

Tensor NonfiniteValues::without(int exponent) const {
    const auto& tensor = problem_.tensors.find("value")->second;
    return Tensor::from(tensor.shape(), std::make_shared<const WithoutOdd>(tensor, exponent), tensor.dtype());
}

void NonfiniteValues::add_to(std::vector<float>& output, std::span<const double> lse, const Masks& masks,
                             const Scales& scales, bool are_finite, const RunControl& control) const {
    const auto& s = shape_;
    const auto E = static_cast<std::size_t>(s.E), Ev = static_cast<std::size_t>(s.Ev);
    for (std::int64_t bh = 0; bh < s.B * s.H; ++bh) {
        const auto b = bh / s.H, h = bh % s.H, key_head = b * s.Hkv + h / (s.H / s.Hkv);
        const auto found = heads_.find(key_head);
        if (found == heads_.end())
            continue;
        const auto& head = found->second;
        // Whether a row reads a key depends on its score only where that may be infinite; reading a NaN gives NaN.
        const bool scored = !are_finite || head.any_infinite;
        const auto query =
            scored ? nonzero_rows_in_float32(problem_, "query", bh * s.L, s.L, control) : std::vector<float>();
        const auto key =
            scored ? nonzero_rows_in_float32(problem_, "key", key_head * s.S, s.S, control) : std::vector<float>();
        const double bound = size_bound(key), finite = largest_finite(key);
        parallel_for(thread_count(), s.L, [&](int, std::int64_t i) {
            control.checkpoint();
            const auto at = static_cast<std::size_t>(bh * s.L + i);
            if (std::isnan(lse[at]))
                return; // the output already is NaN
            const MaskedRow row(masks, s, b, h, i);
            OutputRow out{std::span(output).subspan(at * Ev, Ev)};
            // `weight` returns nullopt for a key of the head that the row does not read.
            const auto add = [&](auto weight) {
                for (std::size_t k = 0; k < head.keys.size() && !out.all_nan(); ++k)
                    if (const std::optional<double> a = weight(k))
                        out.add(*a, head.values.data() + k * Ev);
            };
            const auto unless_blocked = [](double cell, double weight) {
                return cell == -infinity ? std::nullopt : std::optional(weight);
            };
            if (!scored)
                return add([&](std::size_t k) { return unless_blocked(row(head.keys[k], 0.0), 1.0); });
            const auto of_row = std::span(query).subspan(static_cast<std::size_t>(i) * E, E);
            if (std::abs(lse[at]) < surely_near && score_bound(of_row, finite, scales) < surely_near) {
                std::vector<double> cells(head.keys.size());
                bool is_close_call = false;
                for (std::size_t k = 0; k < cells.size(); ++k) {
                    const auto* of_key = key.data() + static_cast<std::size_t>(head.keys[k]) * E;
                    cells[k] = row(head.keys[k], scaled_score(of_row, of_key, scales));
                    const double below = lse[at] - cells[k];
                    is_close_call = is_close_call || (nearest_underflow < below && below < farthest_underflow);
                }
                if (!is_close_call)
                    return add([&](std::size_t k) {
                        return unless_blocked(cells[k], std::exp(cells[k] - lse[at]) * scales.weights);
                    });
            }
            const ExactRow exact(row, scales, of_row, key.data(), bound);
            add([&](std::size_t k) {
                const auto j = head.keys[k];
                return exact.reads(j) ? std::optional(exact.weight(j)) : std::nullopt;
            });
        });
    }
}

namespace {

/// Each of S products of a weight and a value loses at most 2^-126, so an output above this has lost no digit of a
/// float32, up to S = 2^22.
constexpr double smallest_output = 0x1p-80;
/// Queries and keys below this may become 0, as parts of matrix products too.
constexpr double smallest_factor = 0x1p-110;

bool is_small(double number, double limit) { return number != 0.0 && std::abs(number) < limit; }

/// The rows with an infinite number, and those with a small one.
struct RowKinds {
    std::vector<bool> infinite, small;

    bool any_infinite() const { return std::ranges::find(infinite, true) != infinite.end(); }
    bool any_small() const { return std::ranges::find(small, true) != small.end(); }
};

RowKinds kinds_of(std::span<const float> numbers, std::int64_t rows, double small) {
    RowKinds kinds;
    const auto width = rows == 0 ? std::size_t{0} : numbers.size() / static_cast<std::size_t>(rows);
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
        const auto own = numbers.subspan(row * width, width);
        kinds.infinite.push_back(std::ranges::any_of(own, [](float number) { return std::isinf(number); }));
        kinds.small.push_back(std::ranges::any_of(own, [&](float number) { return is_small(number, small); }));
    }
    return kinds;
}

} // namespace

SmallNumbers::SmallNumbers(const ResolvedProblem& problem, const attnlab::flash::Shape& shape, const NumberRange& query,
                           const NumberRange& key, const NumberRange& value, const RunControl& control)
    : shape_(shape) {
    if (value.largest > 0.0 && value.largest < ordinary_size)
        exponent_ = -std::ilogb(value.largest);
    if (is_small(std::ldexp(value.smallest, exponent_), smallest_output))
        find_columns(problem, control);
    if (query.odd.count + key.odd.count > 0)
        find_rows(problem, control);
}

void SmallNumbers::find_columns(const ResolvedProblem& problem, const RunControl& control) {
    const auto& tensor = problem.tensors.find("value")->second;
    const double limit = std::ldexp(smallest_output, -exponent_);
    const auto width = static_cast<std::size_t>(shape_.Ev);
    std::vector<double> row(width);
    for (std::int64_t at = 0; at < shape_.B * shape_.Hkv * shape_.S; ++at) {
        control.checkpoint();
        tensor.read(at * shape_.Ev, std::span(row));
        for (std::size_t c = 0; c < width; ++c)
            if (is_small(row[c], limit)) {
                auto& columns = columns_[at / shape_.S];
                columns.resize(width);
                columns[c] = true;
            }
    }
}

void SmallNumbers::find_rows(const ResolvedProblem& problem, const RunControl& control) {
    const double factor = std::abs(scales_of(problem, shape_).scores) * log2_e;
    const double small_query = smallest_factor / std::min(1.0, factor); // infinity for a factor of 0
    const auto heads = shape_.B * shape_.H;
    for (std::int64_t head = 0; head < heads; ++head) {
        const auto keys =
            kinds_of(nonzero_rows_in_float32(problem, "key", key_head(head) * shape_.S, shape_.S, control), shape_.S,
                     smallest_factor);
        const auto queries = kinds_of(nonzero_rows_in_float32(problem, "query", head * shape_.L, shape_.L, control),
                                      shape_.L, small_query);
        const bool infinite_keys = keys.any_infinite(), small_keys = keys.any_small();
        for (std::size_t i = 0; i < queries.small.size(); ++i)
            if ((queries.small[i] && infinite_keys) || (queries.infinite[i] && small_keys)) {
                rows_.resize(static_cast<std::size_t>(heads * shape_.L));
                rows_[static_cast<std::size_t>(head * shape_.L) + i] = true;
            }
    }
}

std::int64_t SmallNumbers::key_head(std::int64_t head) const {
    return head / shape_.H * shape_.Hkv + head % shape_.H / (shape_.H / shape_.Hkv);
}

bool SmallNumbers::affect(std::int64_t row, std::span<const float> output) const {
    if (!rows_.empty() && rows_[static_cast<std::size_t>(row)])
        return true;
    const auto found = columns_.find(columns_.empty() ? 0 : key_head(row / shape_.L));
    if (found == columns_.end())
        return false;
    for (std::size_t c = 0; c < output.size(); ++c)
        if (found->second[c] && std::abs(output[c]) < smallest_output)
            return true;
    return false;
}

} // namespace attnlab::flash
