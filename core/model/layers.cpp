#include "core/model/layers.h"

#include "core/flash/flash_forward.h"
#include "core/flash/parallel.h"
#include "core/model/forward.h"
#include "core/model/mixers.h"

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

void activate_rows(const Activation& activation, Matrix& x) {
    for_rows(x.rows, x.columns, [&](std::int64_t row) { activate(activation, x.row_span(row)); });
}

void activate_rows(const Xielu& form, Matrix& x) {
    const auto softplus = [](const Weight& weight) { return std::log1p(std::exp(widened(weight).front())); };
    const float positive = softplus(*form.positive), slope = static_cast<float>(form.slope);
    const float negative = slope + softplus(*form.negative), largest = static_cast<float>(form.epsilon);
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
    if (!expert.gate) {
        auto inner = product(x, expert.up, control);
        activate_rows(activation, inner);
        return product(inner, expert.down, control);
    }
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

void add(Matrix& x, const Matrix& y) {
    for_rows(x.rows, x.columns, [&](std::int64_t row) {
        float* const to = x.row(row);
        const float* const from = y.row(row);
        for (std::int64_t i = 0; i < x.columns; ++i)
            to[i] += from[i];
    });
}

Matrix feed_forward(const FeedForward& form, const Matrix& x, const RunControl& control) {
    if (form.experts)
        return run_experts(*form.experts, x, control);
    if (form.routed_experts)
        return run_experts(*form.routed_experts, *form.activation, x, control);
    if (!form.gate) {
        auto inner = product(x, form.up, control);
        if (form.xielu)
            activate_rows(*form.xielu, inner);
        else
            activate_rows(*form.activation, inner);
        return product(inner, form.down, control);
    }
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

void soft_cap(std::span<float> values, double cap) {
    if (cap == 0.0)
        return;
    const auto limit = static_cast<float>(cap);
    for (float& value : values)
        value = limit * std::tanh(value / limit);
}

// Implements the part of forward.h about the input of the first block: tokens, positions and patches of an image.

namespace {

void add_row(std::span<float> row, const Weight& table, std::int64_t index) {
    const auto values = weight_row_as_float(table, index);
    for (std::size_t i = 0; i < row.size(); ++i)
        row[i] += values[i];
}

/// The same of fairseq, whose frequencies fall a little faster.
void add_fairseq_sinusoids(std::span<float> row, std::int64_t position) {
    const auto half = std::ssize(row) / 2;
    for (std::int64_t i = 0; i < 2 * half; ++i) {
        const auto pair = static_cast<double>(i % half);
        const double angle =
            static_cast<double>(position) *
            std::exp(-pair * std::log(10000.0) / static_cast<double>(std::max<std::int64_t>(1, half - 1)));
        row[static_cast<std::size_t>(i)] += static_cast<float>(i < half ? std::sin(angle) : std::cos(angle));
    }
}

/// Vaswani et al. 2017, with all sines in front of all cosines.
void add_sinusoids(std::span<float> row, std::int64_t position) {
    const auto width = std::ssize(row), sines = (width + 1) / 2;
    for (std::int64_t i = 0; i < width; ++i) {
        const auto pair = i < sines ? i : i - sines;
        const double angle = static_cast<double>(position) /
                             std::pow(10000.0, 2.0 * static_cast<double>(pair) / static_cast<double>(width));
        row[static_cast<std::size_t>(i)] += static_cast<float>(i < sines ? std::sin(angle) : std::cos(angle));
    }
}

/// Rows of the table: the position, or the count of ids that are no padding.
std::vector<std::optional<std::int64_t>> positions_of(const Positions& positions, const std::vector<std::int64_t>& ids,
                                                      std::int64_t count) {
    std::vector<std::optional<std::int64_t>> rows;
    std::int64_t counted = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        if (!positions.padding)
            rows.emplace_back(i + positions.offset);
        else if (ids[static_cast<std::size_t>(i)] == *positions.padding)
            rows.emplace_back(*positions.padding);
        else
            rows.emplace_back(counted++ + positions.offset);
    }
    return rows;
}

/// Rows for the tokens in front, then one for each patch.
Matrix patch_rows(const Patches& patches, const Pixels& image, const RunControl& control) {
    Matrix cut(patches.rows() * patches.columns(), patches.projection.inputs);
    for (std::int64_t patch = 0; patch < cut.rows; ++patch) {
        const auto top = patch / patches.columns() * patches.height, left = patch % patches.columns() * patches.width;
        float* out = cut.row(patch);
        for (std::int64_t channel = 0; channel < patches.channels; ++channel)
            for (std::int64_t y = 0; y < patches.frames * patches.height; ++y, out += patches.width)
                std::copy_n(image.values.data() + (channel * image.height + top + y % patches.height) * image.width +
                                left,
                            patches.width, out);
    }
    const auto projected = product(cut, patches.projection, control);
    Matrix rows(patches.count(), projected.columns);
    std::copy(projected.values.begin(), projected.values.end(), rows.row(patches.leading_count()));
    std::int64_t row = 0;
    for (const auto& tokens : patches.leading)
        for (std::int64_t i = 0; i < tokens.count; ++i)
            add_row(rows.row_span(row++), *tokens.vectors, i);
    return rows;
}

/// Keys 1981; PyTorch has a = -0.75 where it does not smooth, and -0.5 where it does.
float cubic_weight(float distance, float a) {
    const float x = std::abs(distance);
    if (x <= 1.0F)
        return ((a + 2.0F) * x - (a + 3.0F)) * x * x + 1.0F;
    return x < 2.0F ? (((x - 5.0F) * x + 8.0F) * x - 4.0F) * a : 0.0F;
}

/// Which rows of `from` make row `index` of `to`, and how much of each.
std::vector<std::pair<std::int64_t, float>> taps(std::int64_t index, std::int64_t from, std::int64_t to,
                                                 bool is_smooth) {
    std::vector<std::pair<std::int64_t, float>> found;
    const float scale = static_cast<float>(from) / static_cast<float>(to);
    if (!is_smooth) {
        const float at = scale * (static_cast<float>(index) + 0.5F) - 0.5F;
        const auto first = static_cast<std::int64_t>(std::floor(at)) - 1;
        for (auto i = first; i < first + 4; ++i)
            found.emplace_back(std::clamp<std::int64_t>(i, 0, from - 1),
                               cubic_weight(at - static_cast<float>(i), -0.75F));
        return found;
    }
    const float stretch = std::max(scale, 1.0F), reach = 2.0F * stretch;
    const float centre = scale * (static_cast<float>(index) + 0.5F);
    const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(centre - reach + 0.5F)));
    const auto last = std::min(from, static_cast<std::int64_t>(std::floor(centre + reach + 0.5F)));
    float sum = 0.0F;
    for (auto i = first; i < last; ++i) {
        found.emplace_back(i, cubic_weight((static_cast<float>(i) - centre + 0.5F) / stretch, -0.5F));
        sum += found.back().second;
    }
    for (auto& [row, weight] : found)
        weight /= sum;
    return found;
}

/// The rows of the table of positions that belong to patches, fitted to the grid of the image: (patches, width).
Matrix fitted_positions(const Patches& patches, const Weight& table) {
    std::int64_t first = 0;
    for (const auto& tokens : patches.leading)
        first += tokens.has_position ? tokens.count : 0;
    const auto width = table.columns();
    std::vector<float> given(static_cast<std::size_t>(patches.table_rows * patches.table_columns * width));
    table.read_rows(first, patches.table_rows * patches.table_columns, given);
    const bool is_smooth = patches.resize == Patches::Resize::SmoothBicubic;
    Matrix fitted(patches.rows() * patches.columns(), width);
    for (std::int64_t row = 0; row < patches.rows(); ++row)
        for (std::int64_t column = 0; column < patches.columns(); ++column)
            for (const auto& [y, down] : taps(row, patches.table_rows, patches.rows(), is_smooth))
                for (const auto& [x, across] : taps(column, patches.table_columns, patches.columns(), is_smooth)) {
                    const float* from = given.data() + (y * patches.table_columns + x) * width;
                    float* to = fitted.row(row * patches.columns() + column);
                    for (std::int64_t i = 0; i < width; ++i)
                        to[i] += down * across * from[i];
                }
    return fitted;
}

/// The row of the table of positions for each token in front and each patch; nullopt: it has none.
std::vector<std::optional<std::int64_t>> positions_of(const Patches& patches) {
    std::vector<std::optional<std::int64_t>> rows;
    std::int64_t next = 0;
    for (const auto& tokens : patches.leading)
        for (std::int64_t i = 0; i < tokens.count; ++i)
            rows.push_back(tokens.has_position ? std::optional(next++) : std::nullopt);
    for (std::int64_t patch = 0; patch < patches.rows() * patches.columns(); ++patch)
        rows.emplace_back(next++);
    return rows;
}

/// The next row, the row itself and the one before, side by side; zeros where there is none.
Matrix with_neighbours(const Matrix& rows) {
    Matrix wide(rows.rows, 3 * rows.columns);
    for (std::int64_t row = 0; row < rows.rows; ++row)
        for (std::int64_t place = 0; place < 3; ++place)
            if (const auto from = row + 1 - place; from >= 0 && from < rows.rows)
                std::copy_n(rows.row(from), rows.columns, wide.row(row) + place * rows.columns);
    return wide;
}

/// Zeros instead of the dropped token. Training dropped 12 of 100 tokens, and the others were scaled accordingly.
void drop(std::int64_t token, const std::vector<std::int64_t>& ids, Matrix& rows) {
    constexpr double kept_in_training = 1.0 - 0.15 * 0.8;
    const auto dropped = std::count(ids.begin(), ids.end(), token);
    if (dropped == std::ssize(ids)) {
        std::fill(rows.values.begin(), rows.values.end(), 0.0F);
        return;
    }
    const double kept = 1.0 - static_cast<double>(dropped) / static_cast<double>(ids.size());
    for (std::int64_t i = 0; i < rows.rows; ++i)
        for (float& value : rows.row_span(i))
            value =
                ids[static_cast<std::size_t>(i)] == token ? 0.0F : value * static_cast<float>(kept_in_training / kept);
}

} // namespace

Matrix embed(const Embedding& embedding, const std::vector<std::int64_t>& ids, const std::vector<std::int64_t>& types,
             const std::optional<Pixels>& image, const std::optional<Sound>& sound, std::int64_t first,
             const RunControl& control, const PlacedRows& placed) {
    Matrix rows;
    if (embedding.patches) {
        rows = patch_rows(*embedding.patches, *image, control);
    } else if (embedding.frames) {
        rows = frame_rows(*embedding.frames, *sound, control);
    } else {
        rows = Matrix(std::ssize(ids) - first, embedding.tokens->columns());
        const auto is_placed = [&placed](std::int64_t id) { return placed.rows && id == placed.token; };
        for (std::int64_t i = 0; i < rows.rows; ++i)
            if (const auto id = ids[static_cast<std::size_t>(first + i)]; !is_placed(id))
                embedding.tokens->read_rows(id, 1, rows.row_span(i));
        scale(rows, embedding.factor);
        auto next = std::count_if(ids.begin(), ids.begin() + first, is_placed);
        for (std::int64_t i = 0; i < rows.rows; ++i)
            if (is_placed(ids[static_cast<std::size_t>(first + i)]))
                std::copy_n(placed.rows->row(next++), rows.columns, rows.row(i));
        if (embedding.dropped)
            drop(*embedding.dropped, ids, rows);
        if (embedding.has_neighbours)
            rows = with_neighbours(rows);
    }
    if (embedding.projection)
        rows = product(rows, *embedding.projection, control);
    if (embedding.types)
        for (std::int64_t i = 0; i < rows.rows; ++i)
            add_row(rows.row_span(i), *embedding.types, types.empty() ? 0 : types[static_cast<std::size_t>(first + i)]);
    for (const auto* table : embedding.constants)
        for (std::int64_t i = 0; i < rows.rows; ++i)
            add_row(rows.row_span(i), *table, 0);
    const auto& positions = embedding.positions;
    const auto at =
        embedding.patches ? positions_of(*embedding.patches) : positions_of(positions, ids, first + rows.rows);
    const auto& patches = embedding.patches;
    const bool is_fitted = patches && patches->resize != Patches::Resize::No && positions.table &&
                           (patches->rows() != patches->table_rows || patches->columns() != patches->table_columns);
    const auto fitted = is_fitted ? fitted_positions(*patches, *positions.table) : Matrix();
    for (std::int64_t i = 0; i < rows.rows; ++i) {
        if (is_fitted && i >= patches->leading_count()) {
            const float* from = fitted.row(i - patches->leading_count());
            std::transform(from, from + rows.columns, rows.row(i), rows.row(i), std::plus<>());
            continue;
        }
        if (!at[static_cast<std::size_t>(first + i)])
            continue;
        const auto position = *at[static_cast<std::size_t>(first + i)];
        if (positions.kind == Positions::Kind::Learned)
            add_row(rows.row_span(i), *positions.table, position);
        else if (positions.kind == Positions::Kind::Sinusoidal)
            add_sinusoids(rows.row_span(i), position);
        else if (positions.kind == Positions::Kind::Fairseq && position != positions.padding)
            add_fairseq_sinusoids(rows.row_span(i), position);
    }
    if (embedding.frames && embedding.frames->positions)
        add(rows, convolved_in_time(*embedding.frames->positions, rows, control));
    normalize(rows, embedding.norm);
    return embedding.widening ? product(rows, *embedding.widening, control) : rows;
}

std::vector<float> values_by_distance(const DistanceBuckets& buckets, std::int64_t heads, std::int64_t queries,
                                      std::int64_t keys) {
    const auto table = widened(*buckets.values);
    const auto half = buckets.bidirectional ? buckets.buckets / 2 : buckets.buckets;
    const auto exact = half / 2;
    const auto span = queries + keys - 1;
    std::vector<float> values(static_cast<std::size_t>(heads * span));
    for (std::int64_t i = 0; i < span; ++i) {
        const auto relative = i - (queries - 1); // key - query
        const auto distance = buckets.bidirectional ? std::abs(relative) : std::max<std::int64_t>(-relative, 0);
        auto bucket = distance;
        if (distance >= exact) { // logarithmic from here on, in the roundings of float32 that PyTorch makes
            const float ratio = std::log(static_cast<float>(distance) / static_cast<float>(exact)) /
                                static_cast<float>(std::log(static_cast<double>(buckets.largest_distance) /
                                                            static_cast<double>(exact))) *
                                static_cast<float>(half - exact);
            bucket = std::min(exact + static_cast<std::int64_t>(ratio), half - 1);
        }
        if (buckets.bidirectional && relative > 0)
            bucket += half;
        for (std::int64_t head = 0; head < heads; ++head)
            values[static_cast<std::size_t>(head * span + i)] = table[static_cast<std::size_t>(bucket * heads + head)];
    }
    return values;
}

std::vector<float> slopes_by_distance(std::span<const float> slopes, std::int64_t queries, std::int64_t keys) {
    std::vector<float> values;
    for (const float slope : slopes)
        for (std::int64_t i = 0; i < queries + keys - 1; ++i)
            values.push_back(slope * static_cast<float>(i - (queries - 1)));
    return values;
}

namespace {

/// The row of a distance; logarithmic from the middle of the buckets on, in the roundings of float32 that PyTorch
/// makes.
std::int64_t row_of_distance(const Disentangled& form, std::int64_t distance) {
    auto place = distance;
    const auto middle = form.buckets / 2;
    if (form.buckets > 0 && std::abs(distance) > middle) {
        const auto half = static_cast<float>(middle);
        const float ratio =
            std::log(static_cast<float>(std::abs(distance)) / half) /
            std::log(static_cast<float>(static_cast<double>(form.largest_distance - 1) / static_cast<double>(middle))) *
            (half - 1.0F);
        const auto bucket = static_cast<std::int64_t>(std::ceil(ratio)) + middle;
        place = distance < 0 ? -bucket : bucket;
    }
    return std::clamp<std::int64_t>(place + form.span, 0, 2 * form.span - 1);
}

/// Rows of scores, computed where they are read.
class DistanceScores : public NumberSource {
public:
    DistanceScores(const Disentangled& form, const Pass& pass, const RunControl& control)
        : heads_(pass.heads), width_(pass.width), count_(pass.queries), scale_(static_cast<float>(pass.scale)),
          query_(pass.query), key_(pass.key) {
        Matrix distances(2 * form.span, form.embeddings->columns());
        form.embeddings->read_rows(0, distances.rows, distances.values);
        normalize(distances, form.norm);
        if (form.key)
            keys_of_distances_ = product(distances, *form.key, control);
        if (form.query)
            queries_of_distances_ = product(distances, *form.query, control);
        for (auto distance = 1 - count_; distance < count_; ++distance)
            rows_.push_back(row_of_distance(form, distance));
    }

    std::int64_t size() const override { return heads_ * count_ * count_; }
    void read(std::int64_t first, std::span<double> values) const override { compute(first, values); }
    void read(std::int64_t first, std::span<float> values) const override { compute(first, values); }

private:
    template <class Number>
    void compute(std::int64_t first, std::span<Number> values) const {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto at = first + static_cast<std::int64_t>(i);
            const auto head = at / (count_ * count_), query = at / count_ % count_, key = at % count_;
            const auto row = rows_[static_cast<std::size_t>(query - key + count_ - 1)];
            float sum = 0.0F;
            if (keys_of_distances_.rows > 0)
                sum += inner(query_.data() + (head * count_ + query) * width_,
                             keys_of_distances_.row(row) + head * width_);
            if (queries_of_distances_.rows > 0)
                sum +=
                    inner(key_.data() + (head * count_ + key) * width_, queries_of_distances_.row(row) + head * width_);
            values[i] = static_cast<Number>(sum * scale_);
        }
    }

    float inner(const float* a, const float* b) const { return std::inner_product(a, a + width_, b, 0.0F); }

    std::int64_t heads_, width_, count_;
    float scale_;
    Floats query_, key_;
    Matrix keys_of_distances_, queries_of_distances_;
    std::vector<std::int64_t> rows_;
};

} // namespace

namespace {

/// 1 where two patches are in the same window, else 0.
class WindowCells : public NumberSource {
public:
    WindowCells(const PatchWindows& windows, std::int64_t count) : count_(count) {
        const auto across = (windows.columns + windows.side - 1) / windows.side;
        for (std::int64_t patch = 0; patch < count; ++patch)
            windows_.push_back(patch / windows.columns / windows.side * across +
                               patch % windows.columns / windows.side);
    }

    std::int64_t size() const override { return count_ * count_; }
    void read(std::int64_t first, std::span<double> values) const override { compute(first, values); }
    void read(std::int64_t first, std::span<float> values) const override { compute(first, values); }

private:
    template <class Number>
    void compute(std::int64_t first, std::span<Number> values) const {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto at = first + static_cast<std::int64_t>(i);
            values[i] =
                windows_[static_cast<std::size_t>(at / count_)] == windows_[static_cast<std::size_t>(at % count_)]
                    ? Number{1}
                    : Number{0};
        }
    }

    std::int64_t count_;
    std::vector<std::int64_t> windows_ = {};
};

/// Rows of scores, computed where they are read.
class GatedDistances : public NumberSource {
public:
    /// `gates`: (heads, count).
    GatedDistances(std::shared_ptr<const std::vector<float>> by_distance, std::vector<float> gates, std::int64_t count)
        : by_distance_(std::move(by_distance)), gates_(std::move(gates)), count_(count) {}

    std::int64_t size() const override { return std::ssize(gates_) * count_; }
    void read(std::int64_t first, std::span<double> values) const override { compute(first, values); }
    void read(std::int64_t first, std::span<float> values) const override { compute(first, values); }

private:
    template <class Number>
    void compute(std::int64_t first, std::span<Number> values) const {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto at = first + static_cast<std::int64_t>(i);
            const auto row = at / count_, head = row / count_, query = row % count_, key = at % count_;
            values[i] = static_cast<Number>(
                gates_[static_cast<std::size_t>(row)] *
                (*by_distance_)[static_cast<std::size_t>(head * (2 * count_ - 1) + key - query + count_ - 1)]);
        }
    }

    std::shared_ptr<const std::vector<float>> by_distance_;
    std::vector<float> gates_;
    std::int64_t count_;
};

} // namespace

Tensor gated_scores_of_distances(const DistanceGate& gate, std::shared_ptr<const std::vector<float>> by_distance,
                                 const Matrix& x, std::int64_t heads, const RunControl& control) {
    constexpr std::int64_t summed = 4;
    const auto width = x.columns / heads;
    const auto factors = widened(*gate.factors);
    Matrix parts(x.rows * heads, width);
    for (std::int64_t head = 0; head < heads; ++head)
        for (std::int64_t row = 0; row < x.rows; ++row)
            std::copy_n(x.row(row) + head * width, width, parts.row(head * x.rows + row));
    const auto outputs = product(parts, gate.sums, control);
    std::vector<float> gates(static_cast<std::size_t>(outputs.rows));
    for (std::int64_t row = 0; row < outputs.rows; ++row) {
        const auto sigmoid_of = [&](const float* from) {
            return 1.0F / (1.0F + std::exp(-std::accumulate(from, from + summed, 0.0F)));
        };
        const float a = sigmoid_of(outputs.row(row)), b = sigmoid_of(outputs.row(row) + summed);
        gates[static_cast<std::size_t>(row)] = a * (b * factors[static_cast<std::size_t>(row / x.rows)] - 1.0F) + 2.0F;
    }
    return Tensor::from({1, heads, x.rows, x.rows},
                        std::make_shared<GatedDistances>(std::move(by_distance), std::move(gates), x.rows),
                        DType::Float32);
}

Tensor scores_of_distances(const Disentangled& form, const Pass& pass, const RunControl& control) {
    return Tensor::from({1, pass.heads, pass.queries, pass.keys}, std::make_shared<DistanceScores>(form, pass, control),
                        DType::Float32);
}

Tensor cells_of_windows(const PatchWindows& windows, std::int64_t count) {
    return Tensor::from({1, 1, count, count}, std::make_shared<WindowCells>(windows, count), DType::Float32);
}

std::vector<double> values_by_patch(const PatchDistances& distances, std::int64_t heads) {
    const auto table = widened(*distances.values);
    const auto width = 2 * distances.columns - 1, last = width * (2 * distances.rows - 1);
    const auto count = distances.rows * distances.columns + 1;
    const auto index = [&](std::int64_t query, std::int64_t key) {
        if (query == 0)
            return key == 0 ? last + 2 : last;
        if (key == 0)
            return last + 1;
        const auto down = (query - 1) / distances.columns - (key - 1) / distances.columns;
        const auto across = (query - 1) % distances.columns - (key - 1) % distances.columns;
        return (down + distances.rows - 1) * width + across + distances.columns - 1;
    };
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(heads * count * count));
    for (std::int64_t head = 0; head < heads; ++head)
        for (std::int64_t query = 0; query < count; ++query)
            for (std::int64_t key = 0; key < count; ++key)
                values.push_back(table[static_cast<std::size_t>(index(query, key) * heads + head)]);
    return values;
}

} // namespace attnlab::model
