#include "core/model/layers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

namespace attnlab::model {
namespace {

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

void standardize(const Norm& norm, std::span<float> row) {
    const auto count = static_cast<double>(row.size());
    const double mean = norm.kind == Norm::Kind::Layer ? sum_of(row, [](double value) { return value; }) / count : 0.0;
    const double squares = sum_of(row, [mean](double value) { return (value - mean) * (value - mean); });
    const auto factor = static_cast<float>(1.0 / std::sqrt(squares / count + norm.epsilon));
    const auto centre = static_cast<float>(mean);
    for (float& value : row)
        value = (value - centre) * factor;
}

void apply(const Norm& norm, const std::vector<float>& weight, const std::vector<float>& bias, std::span<float> row) {
    if (norm.kind != Norm::Kind::None)
        standardize(norm, row);
    if (!weight.empty())
        multiply_into(row, weight.data());
    for (std::size_t i = 0; i < bias.size(); ++i)
        row[i] += bias[i];
}

void activate_rows(const Xielu& form, Matrix& x) {
    const auto softplus = [](double value) { return std::log1p(std::exp(static_cast<float>(value))); };
    const float positive = softplus(form.positive), slope = static_cast<float>(form.slope);
    const float negative = slope + softplus(form.negative), largest = static_cast<float>(form.epsilon);
    for_rows(x.rows, x.columns, [&](std::int64_t row) {
        for (float& value : x.row_span(row))
            value =
                (value > 0.0F ? positive * value * value : (std::expm1(std::min(value, largest)) - value) * negative) +
                slope * value;
    });
}

/// The expert's gate and up lie side by side, gate, up, gate, up, or are two products.
Matrix clamped_gate(const Experts& experts, const Matrix& x, std::int64_t expert, const RunControl& control) {
    const Matrix gates = product(x, experts.gate_up, control, expert);
    const std::optional<Matrix> ups =
        experts.up ? std::optional(product(x, *experts.up, control, expert)) : std::nullopt;
    Matrix inner(gates.rows, ups ? gates.columns : gates.columns / 2);
    const auto limit = static_cast<float>(experts.limit), alpha = static_cast<float>(experts.alpha);
    for (std::size_t i = 0; i < inner.values.size(); ++i) {
        const float gate = std::min(gates.values[ups ? i : 2 * i], limit);
        const float up = std::clamp(ups ? ups->values[i] : gates.values[2 * i + 1], -limit, limit);
        inner.values[i] = (up + 1.0F) * gate / (1.0F + std::exp(-alpha * gate));
    }
    return inner;
}

struct Choice {
    std::int64_t row = 0;
    float share = 0.0F;
};

/// For each of `count` experts the rows that take it, by the softmax of the best logits, or of all of them.
std::vector<std::vector<Choice>> choices(std::int64_t count, std::int64_t chosen, bool sums_to_one,
                                         const Matrix& logits) {
    std::vector<std::vector<Choice>> taken(static_cast<std::size_t>(count));
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    for (std::int64_t row = 0; row < logits.rows; ++row) {
        const float* values = logits.row(row);
        std::iota(order.begin(), order.end(), 0);
        const auto end = order.begin() + chosen;
        std::partial_sort(order.begin(), end, order.end(),
                          [&](auto a, auto b) { return values[a] != values[b] ? values[a] > values[b] : a < b; });
        float sum = 0.0F;
        for (auto it = order.begin(); it != (sums_to_one ? end : order.end()); ++it)
            sum += std::exp(values[*it] - values[order.front()]);
        for (auto it = order.begin(); it != end; ++it)
            taken[static_cast<std::size_t>(*it)].push_back({row, std::exp(values[*it] - values[order.front()]) / sum});
    }
    return taken;
}

/// The sum over experts of what `run(expert, rows)` makes of the rows that take it, by their shares.
template <class Run>
Matrix mixed(const std::vector<std::vector<Choice>>& taken, const Matrix& x, bool scales_input, const Run& run) {
    Matrix y(x.rows, x.columns);
    for (std::size_t expert = 0; expert < taken.size(); ++expert) {
        const auto& rows = taken[expert];
        if (rows.empty())
            continue;
        Matrix own(std::ssize(rows), x.columns);
        for (std::int64_t i = 0; i < own.rows; ++i)
            std::copy_n(x.row(rows[static_cast<std::size_t>(i)].row), x.columns, own.row(i));
        if (scales_input)
            for (std::int64_t i = 0; i < own.rows; ++i)
                for (float& value : own.row_span(i))
                    value *= rows[static_cast<std::size_t>(i)].share;
        const Matrix out = run(expert, own);
        for (std::int64_t i = 0; i < own.rows; ++i) {
            const auto& choice = rows[static_cast<std::size_t>(i)];
            for (std::int64_t column = 0; column < y.columns; ++column)
                y.row(choice.row)[column] += out.row(i)[column] * (scales_input ? 1.0F : choice.share);
        }
    }
    return y;
}

Matrix run_experts(const Experts& experts, const Matrix& x, const RunControl& control) {
    const auto taken = choices(experts.count, experts.chosen, true, product(x, experts.router, control));
    return mixed(taken, x, false, [&](std::size_t expert, const Matrix& own) {
        const auto index = static_cast<std::int64_t>(expert);
        return product(clamped_gate(experts, own, index, control), experts.down, control, index);
    });
}

Matrix run_expert(const GatedExpert& expert, const Activation& activation, const Matrix& x, const RunControl& control) {
    if (!expert.gate)
        return product(activated_product(x, expert.up, activation, control), expert.down, control);
    auto both = products(x, {&*expert.gate, &expert.up}, control);
    auto& inner = both.front();
    for_rows(inner.rows, inner.columns, [&](std::int64_t row) {
        activate(activation, inner.row_span(row));
        multiply_into(inner.row_span(row), both.back().row(row));
    });
    return product(inner, expert.down, control);
}

/// The scores of a row; -infinity of experts outside of the best groups.
std::vector<float> scores_for_choice(const RoutedExperts& experts, std::vector<float> scores,
                                     const std::vector<float>& correction) {
    for (std::size_t i = 0; i < correction.size(); ++i)
        scores[i] += correction[i];
    if (experts.groups == 1)
        return scores;
    const auto size = std::ssize(scores) / experts.groups;
    std::vector<std::pair<float, std::int64_t>> groups;
    for (std::int64_t group = 0; group < experts.groups; ++group) {
        std::vector<float> own(scores.begin() + group * size, scores.begin() + (group + 1) * size);
        std::ranges::sort(own, std::greater<>());
        groups.emplace_back(own[0] + (experts.groups_by_two && size > 1 ? own[1] : 0.0F), group);
    }
    std::ranges::stable_sort(groups, [](const auto& a, const auto& b) { return a.first > b.first; });
    for (auto place = experts.chosen_groups; place < experts.groups; ++place) {
        const auto first = groups[static_cast<std::size_t>(place)].second * size;
        std::fill_n(scores.begin() + first, size, -std::numeric_limits<float>::infinity());
    }
    return scores;
}

/// The best of the logits that are finite, and its weight among those close to it.
std::pair<std::size_t, float> best_of_close(const CloseExperts& close, std::span<const float> logits,
                                            std::span<const float> left) {
    const auto best = std::ranges::max_element(left) - left.begin();
    const float largest = left[static_cast<std::size_t>(best)];
    float sum = 0.0F;
    for (std::size_t i = 0; i < left.size(); ++i) {
        const float share = (largest - logits[i]) / std::max(std::abs(logits[i]), largest);
        if (!(share > static_cast<float>(close.tolerance)))
            sum += std::exp(left[i] - largest);
    }
    return {static_cast<std::size_t>(best), 1.0F / sum};
}

/// The same for two experts a row.
std::vector<std::vector<Choice>> close_choices(const CloseExperts& close, const Matrix& logits) {
    std::vector<std::vector<Choice>> taken(static_cast<std::size_t>(logits.columns));
    for (std::int64_t row = 0; row < logits.rows; ++row) {
        const std::span<const float> all(logits.row(row), static_cast<std::size_t>(logits.columns));
        std::vector<float> left(all.begin(), all.end());
        for (int place = 0; place < 2; ++place) {
            const auto [expert, share] = best_of_close(close, all, left);
            taken[expert].push_back({row, share});
            left[expert] = -std::numeric_limits<float>::infinity();
        }
    }
    return taken;
}

/// For each expert the rows that take it, by scores that are no plain softmax.
std::vector<std::vector<Choice>> routed(const RoutedExperts& experts, const Matrix& logits) {
    std::vector<std::vector<Choice>> taken(experts.each.size());
    const auto correction = experts.correction ? widened(*experts.correction) : std::vector<float>();
    for (std::int64_t row = 0; row < logits.rows; ++row) {
        std::vector<float> scores(logits.row(row), logits.row(row) + logits.columns);
        const float largest = *std::ranges::max_element(scores);
        float all = 0.0F;
        for (float& score : scores) {
            score = experts.by_sigmoid ? 1.0F / (1.0F + std::exp(-score)) : std::exp(score - largest);
            all += score;
        }
        if (!experts.by_sigmoid)
            for (float& score : scores)
                score /= all;
        const auto ranked = scores_for_choice(experts, scores, correction);
        std::vector<std::size_t> order(scores.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, [&](auto a, auto b) { return ranked[a] > ranked[b]; });
        order.resize(static_cast<std::size_t>(experts.chosen));
        float sum = 0.0F;
        for (const auto expert : order)
            sum += scores[expert];
        for (const auto expert : order)
            taken[expert].push_back(
                {row, scores[expert] / (experts.sums_to_one ? sum : 1.0F) * static_cast<float>(experts.factor)});
    }
    return taken;
}

Matrix run_experts(const RoutedExperts& experts, const Activation& activation, const Matrix& x,
                   const RunControl& control) {
    const auto logits = product(x, experts.router, control);
    const bool is_plain = !experts.by_sigmoid && !experts.correction && experts.groups == 1 && experts.factor == 1.0;
    auto taken = experts.close ? close_choices(*experts.close, logits)
                 : is_plain    ? choices(std::ssize(experts.each), experts.chosen, experts.sums_to_one, logits)
                               : routed(experts, logits);
    if (experts.capacity > 0)
        for (auto& rows : taken)
            rows.resize(std::min(rows.size(), static_cast<std::size_t>(experts.capacity)));
    auto y = mixed(taken, x, experts.scales_input, [&](std::size_t expert, const Matrix& own) {
        return run_expert(experts.each[expert], activation, own, control);
    });
    if (experts.shared) {
        auto more = run_expert(*experts.shared, activation, x, control);
        if (experts.shared_gate) {
            const auto gates = product(x, *experts.shared_gate, control);
            for (std::int64_t row = 0; row < more.rows; ++row)
                for (float& value : more.row_span(row))
                    value /= 1.0F + std::exp(-gates.row(row)[0]);
        }
        for (std::size_t i = 0; i < y.values.size(); ++i)
            y.values[i] += more.values[i];
    }
    return y;
}

} // namespace

namespace {

/// The numbers of a norm's weights.
class NormOfRows {
public:
    explicit NormOfRows(const Norm& norm) : norm_(norm) {
        if (norm.weight)
            weight_ = widened(*norm.weight);
        if (norm.bias)
            bias_ = widened(*norm.bias);
        if (norm.adds_one)
            for (float& value : weight_)
                value += 1.0F;
    }
    void apply(std::span<float> row) const { model::apply(norm_, weight_, bias_, row); }

private:
    const Norm& norm_;
    std::vector<float> weight_, bias_;
};

} // namespace

void normalize(Matrix& x, const Norm& norm, std::int64_t parts) {
    const NormOfRows rows(norm);
    const auto width = static_cast<std::size_t>(x.columns / parts);
    for_rows(x.rows, x.columns, [&](std::int64_t row) {
        for (std::int64_t part = 0; part < parts; ++part)
            rows.apply(x.row_span(row).subspan(static_cast<std::size_t>(part) * width, width));
    });
}

void normalize(Matrix& x, const std::optional<Norm>& norm) {
    if (norm)
        normalize(x, *norm);
}

Matrix normalized(const Matrix& x, const Norm& norm) {
    const NormOfRows rows(norm);
    auto y = Matrix::unset(x.rows, x.columns);
    for_rows(x.rows, x.columns, [&](std::int64_t row) {
        std::ranges::copy(x.row_span(row), y.row(row));
        rows.apply(y.row_span(row));
    });
    return y;
}

void scale(Matrix& x, double factor) {
    if (factor == 1.0)
        return;
    for_rows(x.rows, x.columns, [&](std::int64_t row) {
        for (float& value : x.row_span(row))
            value *= static_cast<float>(factor);
    });
}

void scale(Matrix& x, const Weight* factors) {
    if (!factors)
        return;
    const auto by_column = widened(*factors);
    for_rows(x.rows, x.columns, [&](std::int64_t row) { multiply_into(x.row_span(row), by_column.data()); });
}

void clip(Matrix& x, double limit) {
    const auto most = static_cast<float>(limit);
    if (limit <= 0.0)
        return;
    for_rows(x.rows, x.columns, [&](std::int64_t row) {
        for (float& value : x.row_span(row))
            value = std::clamp(value, -most, most);
    });
}

void add(Matrix& x, const Matrix& y, const std::optional<Norm>& norm) {
    const auto normed = norm ? std::optional<NormOfRows>(*norm) : std::nullopt;
    for_rows(x.rows, x.columns, [&](std::int64_t row) {
        add_and_activate(y.row(row), nullptr, x.row_span(row));
        if (normed)
            normed->apply(x.row_span(row));
    });
}

Matrix feed_forward(const FeedForward& form, const Matrix& x, const RunControl& control) {
    if (form.experts)
        return run_experts(*form.experts, x, control);
    if (form.routed_experts)
        return run_experts(*form.routed_experts, *form.activation, x, control);
    if (!form.gate && form.xielu) {
        auto inner = product(x, form.up, control);
        activate_rows(*form.xielu, inner);
        return product(inner, form.down, control);
    }
    if (!form.gate)
        return product(activated_product(x, form.up, *form.activation, control), form.down, control);
    auto both = products(x, {&*form.gate, &form.up}, control);
    auto& inner = both.front();
    const auto& up = both.back();
    for_rows(inner.rows, inner.columns, [&](std::int64_t row) {
        activate(*form.activation, inner.row_span(row));
        multiply_into(inner.row_span(row), up.row(row));
    });
    both.resize(1); // frees `up`
    return product(inner, form.down, control);
}

void finish(const Stack& stack, Matrix& x, const RunControl& control) {
    normalize(x, stack.norm);
    if (stack.projection)
        x = product(x, *stack.projection, control);
}

void soft_cap(std::span<float> values, double cap) {
    if (cap == 0.0)
        return;
    const auto limit = static_cast<float>(cap);
    for (float& value : values)
        value = limit * std::tanh(value / limit);
}

} // namespace attnlab::model
