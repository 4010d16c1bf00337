#include "core/model/mixers.h"

#include "core/flash/flash_forward.h"
#include "core/flash/parallel.h"
#include "core/model/layers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace attnlab::model {
namespace {

float softplus(float x) { return x > 20.0F ? x : std::log1p(std::exp(x)); }
float silu(float x) { return x / (1.0F + std::exp(-x)); }

/// Each column of the first `count` ones is the weighted sum of its last `rows` numbers.
Matrix convolved(const Matrix& x, std::int64_t count, const Weight& weights, const Weight* biases, std::int64_t rows,
                 const Activation* activation) {
    const auto weight = widened(weights);
    const auto bias = biases ? widened(*biases) : std::vector<float>(static_cast<std::size_t>(count));
    Matrix y(x.rows, count);
    for (std::int64_t row = 0; row < y.rows; ++row) {
        for (std::int64_t column = 0; column < count; ++column) {
            float sum = bias[static_cast<std::size_t>(column)];
            for (auto i = std::max<std::int64_t>(0, rows - 1 - row); i < rows; ++i)
                sum += weight[static_cast<std::size_t>(column * rows + i)] * x.row(row - (rows - 1) + i)[column];
            y.row(row)[column] = sum;
        }
        if (activation)
            activate(*activation, y.row_span(row));
    }
    return y;
}

/// The columns first .. first + count - 1.
Matrix columns_of(const Matrix& x, std::int64_t first, std::int64_t count) {
    Matrix part(x.rows, count);
    for (std::int64_t row = 0; row < x.rows; ++row)
        std::copy_n(x.row(row) + first, count, part.row(row));
    return part;
}

Matrix run(const ShortConvolution& form, const Matrix& x, const RunControl& control) {
    const auto width = form.in.outputs / 3;
    auto parts = product(x, form.in, control); // B, C, x
    for (std::int64_t row = 0; row < parts.rows; ++row)
        for (std::int64_t column = 0; column < width; ++column)
            parts.row(row)[column] *= parts.row(row)[2 * width + column];
    auto y = convolved(parts, width, *form.weight, form.bias, form.rows, nullptr);
    for (std::int64_t row = 0; row < y.rows; ++row)
        for (std::int64_t column = 0; column < width; ++column)
            y.row(row)[column] *= parts.row(row)[width + column];
    return product(y, form.out, control);
}

Matrix run(const StateSpace& form, const Matrix& x, const RunControl& control) {
    const auto both = product(x, form.in, control);
    const auto u = convolved(both, form.inner, *form.weight, form.bias, form.rows, form.activation);
    const auto parts = product(u, form.parts, control);
    auto narrow = columns_of(parts, 0, form.rank);
    auto b = columns_of(parts, form.rank, form.state), c = columns_of(parts, form.rank + form.state, form.state);
    normalize(narrow, form.step_norm);
    normalize(b, form.b_norm);
    normalize(c, form.c_norm);
    const auto steps = product(narrow, form.step, control);
    const auto log_a = widened(*form.log_a), skip = widened(*form.skip);
    Matrix y(x.rows, form.inner);
    flash::parallel_for(flash::thread_count(), form.inner, [&](int, std::int64_t column) {
        std::vector<float> a(static_cast<std::size_t>(form.state)), state(a.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            const float stored = log_a[static_cast<std::size_t>(column) * a.size() + i];
            a[i] = form.has_plain_a ? stored : -std::exp(stored);
        }
        for (std::int64_t row = 0; row < y.rows; ++row) {
            const float step = softplus(steps.row(row)[column]), value = u.row(row)[column];
            float sum = 0.0F;
            for (std::size_t i = 0; i < a.size(); ++i) {
                state[i] = std::exp(a[i] * step) * state[i] + step * b.row(row)[i] * value;
                sum += state[i] * c.row(row)[i];
            }
            y.row(row)[column] =
                (sum + value * skip[static_cast<std::size_t>(column)]) * silu(both.row(row)[form.inner + column]);
        }
    });
    return product(y, form.out, control);
}

/// `factor` times the values divided by their length.
std::vector<float> unit_of(const float* values, std::int64_t count, float factor) {
    std::vector<float> unit(values, values + count);
    float squares = 0.0F;
    for (const float value : unit)
        squares += value * value;
    for (float& value : unit)
        value *= factor / std::sqrt(squares + 1e-6F);
    return unit;
}

Matrix run(const DeltaRule& form, const Matrix& x, const RunControl& control) {
    const auto keys = form.key_heads * form.key_width, values = form.value_heads * form.value_width;
    const auto shared = form.value_heads / form.key_heads; // heads of values for each of keys
    const auto given = product(x, form.in, control), rates = product(x, form.rates, control);
    const auto stride = 2 * form.key_width + 2 * shared * form.value_width;
    Matrix mixed(x.rows, 2 * keys + values), gates(x.rows, values);
    for (std::int64_t row = 0; row < x.rows; ++row)
        for (std::int64_t head = 0; head < form.key_heads; ++head) {
            const float* from = given.row(row) + head * stride;
            std::copy_n(from, form.key_width, mixed.row(row) + head * form.key_width);
            std::copy_n(from + form.key_width, form.key_width, mixed.row(row) + keys + head * form.key_width);
            from += 2 * form.key_width;
            const auto width = shared * form.value_width;
            std::copy_n(from, width, mixed.row(row) + 2 * keys + head * width);
            std::copy_n(from + width, width, gates.row(row) + head * width);
        }
    mixed = convolved(mixed, mixed.columns, *form.weight, nullptr, form.rows, form.activation);
    const auto step_bias = widened(*form.step_bias), log_decay = widened(*form.log_decay);
    const auto root = static_cast<float>(1.0 / std::sqrt(static_cast<double>(form.key_width)));
    Matrix y(x.rows, values);
    flash::parallel_for(flash::thread_count(), form.value_heads, [&](int, std::int64_t head) {
        const auto place = static_cast<std::size_t>(head);
        const auto key_head = head / shared, rate = key_head * 2 * shared + head % shared;
        Matrix state(form.key_width, form.value_width);
        std::vector<float> held(static_cast<std::size_t>(form.value_width));
        for (std::int64_t row = 0; row < x.rows; ++row) {
            const auto query = unit_of(mixed.row(row) + key_head * form.key_width, form.key_width, root);
            const auto key = unit_of(mixed.row(row) + keys + key_head * form.key_width, form.key_width, 1.0F);
            const float* value = mixed.row(row) + 2 * keys + head * form.value_width;
            const float strength = 1.0F / (1.0F + std::exp(-rates.row(row)[rate]));
            const float decay =
                std::exp(-std::exp(log_decay[place]) * softplus(rates.row(row)[rate + shared] + step_bias[place]));
            std::ranges::fill(held, 0.0F);
            for (std::int64_t i = 0; i < state.rows; ++i)
                for (std::int64_t k = 0; k < state.columns; ++k) {
                    state.row(i)[k] *= decay;
                    held[static_cast<std::size_t>(k)] += state.row(i)[k] * key[static_cast<std::size_t>(i)];
                }
            float* out = y.row(row) + head * form.value_width;
            for (std::int64_t i = 0; i < state.rows; ++i)
                for (std::int64_t k = 0; k < state.columns; ++k) {
                    const float change = (value[k] - held[static_cast<std::size_t>(k)]) * strength;
                    state.row(i)[k] += key[static_cast<std::size_t>(i)] * change;
                    out[k] += state.row(i)[k] * query[static_cast<std::size_t>(i)];
                }
        }
    });
    normalize(y, form.norm, form.value_heads);
    for (std::size_t i = 0; i < y.values.size(); ++i)
        y.values[i] *= silu(gates.values[i]);
    return product(y, form.out, control);
}

} // namespace

Matrix mix_without_attention(const Block& block, const Matrix& x, const RunControl& control) {
    if (block.convolution)
        return run(*block.convolution, x, control);
    return block.state_space ? run(*block.state_space, x, control) : run(*block.delta_rule, x, control);
}

Matrix span_convolution(const SpanConvolution& form, const Matrix& x, const Matrix& query, std::int64_t heads,
                        const RunControl& control) {
    const auto half = form.rows / 2;
    const auto depthwise = widened(*form.depthwise);
    Matrix blurred(x.rows, x.columns);
    for (std::int64_t row = 0; row < x.rows; ++row)
        for (std::int64_t i = 0; i < form.rows; ++i)
            if (const auto from = row - half + i; from >= 0 && from < x.rows)
                for (std::int64_t column = 0; column < x.columns; ++column)
                    blurred.row(row)[column] +=
                        depthwise[static_cast<std::size_t>(column * form.rows + i)] * x.row(from)[column];
    auto keys = product(blurred, form.pointwise, control);
    for (std::size_t i = 0; i < keys.values.size(); ++i)
        keys.values[i] *= query.values[i];
    auto kernels = product(keys, form.kernel, control);
    const auto values = product(x, form.values, control);
    const auto width = values.columns / heads;
    Matrix y(x.rows, values.columns);
    for (std::int64_t row = 0; row < x.rows; ++row)
        for (std::int64_t head = 0; head < heads; ++head) {
            const std::span weights(kernels.row(row) + head * form.rows, static_cast<std::size_t>(form.rows));
            const float largest = *std::ranges::max_element(weights);
            float sum = 0.0F;
            for (float& weight : weights)
                sum += weight = std::exp(weight - largest);
            for (std::int64_t i = 0; i < form.rows; ++i)
                if (const auto from = row - half + i; from >= 0 && from < x.rows)
                    for (auto column = head * width; column < (head + 1) * width; ++column)
                        y.row(row)[column] += weights[static_cast<std::size_t>(i)] / sum * values.row(from)[column];
        }
    return y;
}

namespace {

constexpr std::int64_t windows_at_a_time = 512;

/// Rows first .. first + count - 1 of the windows, each by column and then by row.
Matrix windows_of(const TimeConvolution& form, const Matrix& x, std::int64_t column, std::int64_t columns,
                  std::int64_t first, std::int64_t count) {
    Matrix windows(count, columns * form.rows);
    for (std::int64_t window = 0; window < count; ++window)
        for (std::int64_t i = 0; i < form.rows; ++i)
            if (const auto row = (first + window) * form.stride + i - form.before; row >= 0 && row < x.rows)
                for (std::int64_t k = 0; k < columns; ++k)
                    windows.row(window)[k * form.rows + i] = x.row(row)[column + k];
    return windows;
}

/// The weights, each row of the window with its length.
std::vector<float> weights_in_time(const TimeConvolution& form) {
    auto weights = widened(*form.window.weight);
    if (!form.lengths)
        return weights;
    const auto lengths = widened(*form.lengths);
    const auto rows = static_cast<std::size_t>(form.rows);
    for (std::size_t i = 0; i < rows; ++i) {
        double squares = 0.0;
        for (auto at = i; at < weights.size(); at += rows)
            squares += static_cast<double>(weights[at]) * static_cast<double>(weights[at]);
        const auto factor = static_cast<float>(static_cast<double>(lengths[i]) / std::sqrt(squares));
        for (auto at = i; at < weights.size(); at += rows)
            weights[at] *= factor;
    }
    return weights;
}

/// Each group of columns by its own weights.
void convolve_groups(const TimeConvolution& form, const Matrix& x, Matrix& y, const RunControl& control) {
    const auto weights = weights_in_time(form);
    const auto columns = x.columns / form.groups, outputs = y.columns / form.groups, inputs = columns * form.rows;
    flash::parallel_for(flash::thread_count(), form.groups, [&](int, std::int64_t group) {
        for (std::int64_t first = 0; first < y.rows; first += windows_at_a_time) {
            control.checkpoint();
            const auto count = std::min(windows_at_a_time, y.rows - first);
            const auto windows = windows_of(form, x, group * columns, columns, first, count);
            multiply({windows.values.data(), count, inputs, inputs},
                     {weights.data() + group * outputs * inputs, outputs, inputs, inputs}, true,
                     y.row(first) + group * outputs, y.columns);
        }
    });
    if (!form.window.bias)
        return;
    const auto bias = widened(*form.window.bias);
    for (std::int64_t row = 0; row < y.rows; ++row)
        for (std::int64_t column = 0; column < y.columns; ++column)
            y.row(row)[column] += bias[static_cast<std::size_t>(column)];
}

/// Each column over all rows.
void normalize_columns(Matrix& x, const Norm& norm, const RunControl& control) {
    constexpr std::int64_t together = 16; // of one cache line
    const auto weight = widened(*norm.weight), bias = widened(*norm.bias);
    flash::parallel_for(flash::thread_count(), (x.columns + together - 1) / together, [&](int, std::int64_t block) {
        const auto first = block * together, count = std::min(together, x.columns - first);
        std::array<double, together> means{}, squares{};
        const auto for_each_number = [&](const auto& visit) {
            control.checkpoint();
            for (std::int64_t row = 0; row < x.rows; ++row)
                for (std::int64_t i = 0; i < count; ++i)
                    visit(x.row(row)[first + i], static_cast<std::size_t>(i));
        };
        for_each_number([&](float value, std::size_t i) { means[i] += static_cast<double>(value); });
        for (double& mean : means)
            mean /= static_cast<double>(x.rows);
        for_each_number([&](float value, std::size_t i) {
            squares[i] += (static_cast<double>(value) - means[i]) * (static_cast<double>(value) - means[i]);
        });
        std::array<double, together> factors{};
        for (std::size_t i = 0; i < factors.size(); ++i)
            factors[i] = 1.0 / std::sqrt(squares[i] / static_cast<double>(x.rows) + norm.epsilon);
        for_each_number([&](float& value, std::size_t i) {
            const auto column = static_cast<std::size_t>(first) + i;
            value = static_cast<float>((static_cast<double>(value) - means[i]) * factors[i]) * weight[column] +
                    bias[column];
        });
    });
}

} // namespace

Matrix convolved_in_time(const TimeConvolution& form, const Matrix& x, const RunControl& control) {
    Matrix y(form.rows_of(x.rows), form.window.outputs);
    if (form.groups > 1 || form.lengths) {
        convolve_groups(form, x, y, control);
    } else {
        for (std::int64_t first = 0; first < y.rows; first += windows_at_a_time) {
            const auto count = std::min(windows_at_a_time, y.rows - first);
            const auto rows = product(windows_of(form, x, 0, x.columns, first, count), form.window, control);
            std::ranges::copy(rows.values, y.row(first));
        }
    }
    if (form.norm && form.norm_spans_time)
        normalize_columns(y, *form.norm, control);
    else
        normalize(y, form.norm);
    if (form.activation)
        flash::parallel_for(flash::thread_count(), y.rows,
                            [&](int, std::int64_t row) { activate(*form.activation, y.row_span(row)); });
    return y;
}

Matrix frame_rows(const Frames& frames, const Sound& sound, const RunControl& control) {
    Matrix rows(sound.count, sound.channels);
    for (std::int64_t channel = 0; channel < sound.channels; ++channel)
        for (std::int64_t step = 0; step < sound.count; ++step)
            rows.row(step)[channel] = sound.values[static_cast<std::size_t>(channel * sound.count + step)];
    for (const auto& convolution : frames.convolutions)
        rows = convolved_in_time(convolution, rows, control);
    normalize(rows, frames.norm);
    return rows;
}

} // namespace attnlab::model
