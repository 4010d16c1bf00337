#include "core/flash/odd_values.h"

#include "core/flash/parallel.h"
#include "core/infinity.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace attnlab::flash {
namespace {

constexpr std::int64_t numbers_at_once = 1 << 16;
/// With scores up to this, the lse in float32 has an error below 1 and separates zero weights from others.
constexpr double surely_near = 1e5;

/// Calls take(offset, number) for the numbers that are NaN or infinite.
template <class Take>
void each_odd(const Tensor& tensor, const RunControl& control, Take take) {
    std::vector<double> piece(static_cast<std::size_t>(std::min(numbers_at_once, tensor.size())));
    for (std::int64_t first = 0; first < tensor.size(); first += numbers_at_once) {
        control.checkpoint();
        const auto part =
            std::span(piece).first(static_cast<std::size_t>(std::min(numbers_at_once, tensor.size() - first)));
        tensor.read(first, part);
        for (std::size_t k = 0; k < part.size(); ++k)
            if (!std::isfinite(part[k]))
                take(first + static_cast<std::int64_t>(k), part[k]);
    }
}

double largest_finite(std::span<const float> numbers) {
    double largest = 0.0;
    for (const float number : numbers)
        if (std::isfinite(number))
            largest = std::max(largest, std::abs(static_cast<double>(number)));
    return largest;
}

/// The numbers of a tensor, 0 for those that are NaN or infinite.
class WithoutOdd : public NumberSource {
public:
    explicit WithoutOdd(Tensor tensor) : tensor_(std::move(tensor)) {}

    std::int64_t size() const override { return tensor_.size(); }
    void read(std::int64_t first, std::span<double> values) const override { read_as(first, values); }
    void read(std::int64_t first, std::span<float> values) const override { read_as(first, values); }

private:
    template <class Number>
    void read_as(std::int64_t first, std::span<Number> values) const {
        tensor_.read(first, values);
        for (auto& value : values)
            if (!std::isfinite(value))
                value = 0;
    }

    const Tensor tensor_;
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

OddCount count_odd(const Tensor& tensor, const RunControl& control) {
    OddCount odd;
    each_odd(tensor, control, [&](std::int64_t offset, double) {
        if (odd.count++ == 0)
            odd.first = offset;
    });
    return odd;
}

OddValues::OddValues(const ResolvedProblem& problem, const attnlab::flash::Shape& shape, const RunControl& control)
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

Tensor OddValues::without() const {
    const auto& tensor = problem_.tensors.find("value")->second;
    return Tensor::from(tensor.shape(), std::make_shared<const WithoutOdd>(tensor), tensor.dtype());
}

void OddValues::add_to(std::vector<float>& output, std::span<const double> lse, const Masks& masks,
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
        const auto query = scored ? rows_in_float32(problem_, "query", bh * s.L, s.L, control) : std::vector<float>();
        const auto key = scored ? rows_in_float32(problem_, "key", key_head * s.S, s.S, control) : std::vector<float>();
        const double bound = size_bound(key), finite = largest_finite(key);
        parallel_for(thread_count(), s.L, [&](int, std::int64_t i) {
            control.checkpoint();
            const auto at = static_cast<std::size_t>(bh * s.L + i);
            if (std::isnan(lse[at]))
                return; // the output already is NaN
            const MaskedRow row(masks, s, b, h, i);
            OutputRow out{std::span(output).subspan(at * Ev, Ev)};
            // `weight` returns nullopt for keys that the row does not read.
            const auto add = [&](auto weight) {
                for (std::size_t k = 0; k < head.keys.size() && !out.all_nan(); ++k)
                    if (const std::optional<double> a = weight(head.keys[k]))
                        out.add(*a, head.values.data() + k * Ev);
            };
            const auto unless_blocked = [](double cell, double weight) {
                return cell == -infinity ? std::nullopt : std::optional(weight);
            };
            if (!scored)
                return add([&](std::int64_t j) { return unless_blocked(row(j, 0.0), 1.0); });
            const auto of_row = std::span(query).subspan(static_cast<std::size_t>(i) * E, E);
            if (std::abs(lse[at]) < surely_near && score_bound(of_row, finite, scales) < surely_near)
                return add([&](std::int64_t j) {
                    const auto* of_key = key.data() + static_cast<std::size_t>(j) * E;
                    const double cell = row(j, scaled_score(of_row, of_key, scales));
                    return unless_blocked(cell, std::exp(cell - lse[at]) * scales.weights);
                });
            const ExactRow exact(row, scales, of_row, key.data(), bound);
            add([&](std::int64_t j) { return exact.reads(j) ? std::optional(exact.weight(j)) : std::nullopt; });
        });
    }
}

} // namespace attnlab::flash
