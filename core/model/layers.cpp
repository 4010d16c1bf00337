#include "core/model/layers.h"

#include "core/flash/forward.h"
#include "core/flash/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace attnlab::model {
namespace {

constexpr std::int64_t rows_at_a_time = 16;

void multiply_into(std::span<float> values, const float* factors) {
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] *= factors[i];
}

/// The sum of all `of(value)` in float64, in lanes that the compiler makes vectors of.
template <class Of>
double sum_of(std::span<const float> row, const Of& of) {
    constexpr std::size_t lanes = 16;
    std::array<double, lanes> sums{};
    std::size_t i = 0;
    for (; i + lanes <= row.size(); i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            sums[lane] += of(static_cast<double>(row[i + lane]));
    for (; i < row.size(); ++i)
        sums[0] += of(static_cast<double>(row[i]));
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

void apply(const Norm& norm, const std::vector<float>& weight, const std::vector<float>& bias, std::span<float> row) {
    const auto count = static_cast<double>(row.size());
    const double mean = norm.kind == Norm::Kind::Layer ? sum_of(row, [](double value) { return value; }) / count : 0.0;
    const double squares = sum_of(row, [mean](double value) { return (value - mean) * (value - mean); });
    const auto factor = static_cast<float>(1.0 / std::sqrt(squares / count + norm.epsilon));
    const auto centre = static_cast<float>(mean);
    for (float& value : row)
        value = (value - centre) * factor;
    if (!weight.empty())
        multiply_into(row, weight.data());
    for (std::size_t i = 0; i < bias.size(); ++i)
        row[i] += bias[i];
}

/// In pieces on all cores, for rows of `width` numbers.
void for_rows(std::int64_t rows, const std::function<void(std::int64_t)>& work) {
    const auto pieces = (rows + rows_at_a_time - 1) / rows_at_a_time;
    flash::parallel_for(flash::thread_count(), pieces, [&](int, std::int64_t piece) {
        for (auto row = piece * rows_at_a_time; row < std::min(rows, (piece + 1) * rows_at_a_time); ++row)
            work(row);
    });
}

void activate_rows(const Activation& activation, Matrix& x) {
    for_rows(x.rows, [&](std::int64_t row) { activate(activation, x.row_span(row)); });
}

/// The expert's gate and up lie side by side: gate, up, gate, up.
Matrix clamped_gate(const Experts& experts, const Matrix& gate_up) {
    Matrix inner(gate_up.rows, gate_up.columns / 2);
    const auto limit = static_cast<float>(experts.limit), alpha = static_cast<float>(experts.alpha);
    for (std::size_t i = 0; i < inner.values.size(); ++i) {
        const float gate = std::min(gate_up.values[2 * i], limit);
        const float up = std::clamp(gate_up.values[2 * i + 1], -limit, limit);
        inner.values[i] = (up + 1.0F) * gate / (1.0F + std::exp(-alpha * gate));
    }
    return inner;
}

struct Choice {
    std::int64_t row = 0;
    float share = 0.0F;
};

/// For each expert the rows that take it, by the softmax of the best logits.
std::vector<std::vector<Choice>> choices(const Experts& experts, const Matrix& logits) {
    std::vector<std::vector<Choice>> taken(static_cast<std::size_t>(experts.count));
    std::vector<std::int64_t> order(static_cast<std::size_t>(experts.count));
    for (std::int64_t row = 0; row < logits.rows; ++row) {
        const float* values = logits.row(row);
        std::iota(order.begin(), order.end(), 0);
        const auto end = order.begin() + experts.chosen;
        std::partial_sort(order.begin(), end, order.end(),
                          [&](auto a, auto b) { return values[a] != values[b] ? values[a] > values[b] : a < b; });
        float sum = 0.0F;
        for (auto it = order.begin(); it != end; ++it)
            sum += std::exp(values[*it] - values[order.front()]);
        for (auto it = order.begin(); it != end; ++it)
            taken[static_cast<std::size_t>(*it)].push_back({row, std::exp(values[*it] - values[order.front()]) / sum});
    }
    return taken;
}

Matrix run_experts(const Experts& experts, const Matrix& x, const RunControl& control) {
    const auto taken = choices(experts, product(x, experts.router, control));
    Matrix y(x.rows, x.columns);
    for (std::int64_t expert = 0; expert < experts.count; ++expert) {
        const auto& rows = taken[static_cast<std::size_t>(expert)];
        if (rows.empty())
            continue;
        Matrix own(std::ssize(rows), x.columns);
        for (std::int64_t i = 0; i < own.rows; ++i)
            std::copy_n(x.row(rows[static_cast<std::size_t>(i)].row), x.columns, own.row(i));
        const auto inner = clamped_gate(experts, product(own, experts.gate_up, control, expert));
        const auto out = product(inner, experts.down, control, expert);
        for (std::int64_t i = 0; i < own.rows; ++i) {
            const auto& choice = rows[static_cast<std::size_t>(i)];
            for (std::int64_t column = 0; column < y.columns; ++column)
                y.row(choice.row)[column] += out.row(i)[column] * choice.share;
        }
    }
    return y;
}

} // namespace

void normalize(Matrix& x, const Norm& norm, std::int64_t parts) {
    auto weight = norm.weight ? widened(*norm.weight) : std::vector<float>{};
    const auto bias = norm.bias ? widened(*norm.bias) : std::vector<float>{};
    if (norm.adds_one)
        for (float& value : weight)
            value += 1.0F;
    const auto width = static_cast<std::size_t>(x.columns / parts);
    for_rows(x.rows, [&](std::int64_t row) {
        for (std::int64_t part = 0; part < parts; ++part)
            apply(norm, weight, bias, x.row_span(row).subspan(static_cast<std::size_t>(part) * width, width));
    });
}

void normalize(Matrix& x, const std::optional<Norm>& norm) {
    if (norm)
        normalize(x, *norm);
}

void scale(Matrix& x, double factor) {
    if (factor != 1.0)
        for (float& value : x.values)
            value *= static_cast<float>(factor);
}

void add(Matrix& x, const Matrix& y) {
    for (std::size_t i = 0; i < x.values.size(); ++i)
        x.values[i] += y.values[i];
}

Matrix feed_forward(const FeedForward& form, const Matrix& x, const RunControl& control) {
    if (form.experts)
        return run_experts(*form.experts, x, control);
    if (!form.gate) {
        auto inner = product(x, form.up, control);
        activate_rows(*form.activation, inner);
        return product(inner, form.down, control);
    }
    auto both = products(x, {&*form.gate, &form.up}, control);
    auto& inner = both.front();
    const auto& up = both.back();
    for_rows(inner.rows, [&](std::int64_t row) {
        activate(*form.activation, inner.row_span(row));
        multiply_into(inner.row_span(row), up.row(row));
    });
    both.resize(1); // frees `up`
    return product(inner, form.down, control);
}

void soft_cap(std::span<float> values, double cap) {
    if (cap == 0.0)
        return;
    const auto limit = static_cast<float>(cap);
    for (float& value : values)
        value = limit * std::tanh(value / limit);
}

} // namespace attnlab::model
