#include "core/model/pass.h"

#include "core/flash/flash_forward.h"
#include "core/flash/parallel.h"
#include "core/model/weight_products.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab::model {
namespace {

constexpr std::int64_t block_rows = 32;

/// Rows of a head from `first` on.
MatrixPart rows_of(const Floats& values, std::int64_t head, std::int64_t all, std::int64_t width, std::int64_t first,
                   std::int64_t count) {
    return {values.data() + (head * all + first) * width, count, width, width};
}

/// Replaces scores by weights. Returns the lse.
float softmax(std::span<float> scores, const float* sink) {
    float largest = sink ? *sink : -std::numeric_limits<float>::infinity();
    for (const float score : scores)
        largest = std::max(largest, score);
    if (largest == -std::numeric_limits<float>::infinity()) { // every key is blocked
        std::fill(scores.begin(), scores.end(), 0.0F);
        return largest;
    }
    double sum = sink ? std::exp(*sink - largest) : 0.0;
    for (float& score : scores) {
        score = std::exp(score - largest);
        sum += score;
    }
    const auto factor = static_cast<float>(1.0 / sum);
    for (float& score : scores)
        score *= factor;
    return largest + static_cast<float>(std::log(sum));
}

/// Rescales outputs and lse to include the sink of each head in the softmax.
void add_sinks(Pass& pass, std::int64_t first, std::span<float> output) {
    const auto rows = pass.queries - first;
    for (std::int64_t head = 0; head < pass.heads; ++head) {
        const float sink = pass.sinks[static_cast<std::size_t>(head)];
        for (std::int64_t row = 0; row < rows; ++row) {
            float& lse = pass.lse[static_cast<std::size_t>(head * pass.queries + first + row)];
            const float largest = std::max(lse, sink);
            const float both = largest + std::log(std::exp(lse - largest) + std::exp(sink - largest));
            const float kept = std::exp(lse - both);
            lse = both;
            float* values = output.data() + (head * rows + row) * pass.width_of_values();
            for (std::int64_t i = 0; i < pass.width_of_values(); ++i)
                values[i] *= kept;
        }
    }
}

/// (heads, rows, width) by the engine for raw arrays.
Floats attend_in_tiles(Pass& pass, std::int64_t first, const RunControl& control) {
    const auto rows = pass.queries - first;
    Floats query, output(static_cast<std::size_t>(pass.heads * rows * pass.width_of_values()));
    std::vector<float> lse(static_cast<std::size_t>(pass.heads * rows));
    if (first > 0)
        for (std::int64_t head = 0; head < pass.heads; ++head)
            query.insert(query.end(), pass.query_row(head, first), pass.query_row(head, first) + rows * pass.width);
    flash::Problem problem{.shape = {.B = 1,
                                     .H = pass.heads,
                                     .Hkv = pass.key_value_heads,
                                     .L = rows,
                                     .S = pass.keys,
                                     .E = pass.width,
                                     .Ev = pass.width_of_values()},
                           .query = first > 0 ? query.data() : pass.query.data(),
                           .key = pass.key.data(),
                           .value = pass.value.data(),
                           .scale = pass.scale};
    flash::Band band;
    if (pass.causal)
        band.after = first;
    if (pass.window > 0) {
        band.before = pass.window - 1 - first;
        if (!pass.causal)
            band.after = pass.window - 1 + first;
    }
    if (pass.causal || pass.window > 0)
        problem.masks.bands.push_back(band);
    flash::forward(problem, {.output = output.data(), .lse = lse.data()}, control);
    for (std::int64_t head = 0; head < pass.heads; ++head)
        std::copy_n(lse.data() + head * rows, rows, pass.lse.data() + head * pass.queries + first);
    if (!pass.sinks.empty())
        add_sinks(pass, first, output);
    return output;
}

/// The same by blocks of rows, for what that engine does not know: caps, and values that are added to scores.
Floats attend_in_rows(Pass& pass, std::int64_t first, const RunControl& control) {
    const auto rows = pass.queries - first, width = pass.width_of_values();
    Floats output(static_cast<std::size_t>(pass.heads * rows * width));
    const int threads = flash::thread_count();
    std::vector<std::vector<float>> held(static_cast<std::size_t>(threads));
    const auto blocks = (rows + block_rows - 1) / block_rows;
    flash::parallel_for(threads, pass.heads * blocks, [&](int worker, std::int64_t task) {
        control.checkpoint();
        const auto head = task / blocks, begin = task % blocks * block_rows;
        const auto count = std::min(block_rows, rows - begin);
        auto& weights = held[static_cast<std::size_t>(worker)];
        weights.resize(static_cast<std::size_t>(count * pass.keys));
        float* const lse = pass.lse.data() + head * pass.queries + first + begin;
        pass.weights(head, first + begin, count, weights, {lse, static_cast<std::size_t>(count)});
        multiply({weights.data(), count, pass.keys, pass.keys},
                 rows_of(pass.value, pass.key_head(head), pass.keys, width, 0, pass.keys), false,
                 output.data() + (head * rows + begin) * width, width);
    });
    return output;
}

} // namespace

void PassCells::read(std::int64_t head, std::int64_t row, std::span<float> out) const {
    const auto at = [this](int axis, std::int64_t index) { return tensor.dim(axis) == 1 ? 0 : index; };
    const auto line = (at(0, batch) * tensor.dim(1) + at(1, first_head + head)) * tensor.dim(2) + at(2, row);
    tensor.read(line * tensor.dim(3), out);
}

Pass::Range Pass::readable(std::int64_t row) const {
    Range range{0, keys};
    const auto position = row + offset;
    if (causal)
        range.last = std::clamp<std::int64_t>(position + 1, 0, keys);
    if (window > 0) {
        range.first = std::max<std::int64_t>(range.first, position - window + 1);
        range.last = std::clamp<std::int64_t>(position + window, 0, range.last);
    }
    if (reads_both_ways() && both_ways.first <= position && position < both_ways.last) {
        range.last = std::max(range.last, both_ways.last);
        if (!both_ways_in_window)
            range.first = std::min(range.first, both_ways.first);
    }
    return {std::min(range.first, range.last), range.last};
}

Pass::Range Pass::readable(std::int64_t first, std::int64_t last) const {
    auto all = readable(first);
    for (auto row = first + 1; row < last; ++row) {
        const auto one = readable(row);
        all = {std::min(all.first, one.first), std::max(all.last, one.last)};
    }
    return all;
}

void Pass::blocked(std::int64_t head, std::int64_t row, std::span<double> out) const {
    const auto range = readable(row);
    std::fill(out.begin(), out.end(), 1.0);
    std::fill(out.begin() + range.first, out.begin() + range.last, 0.0);
    if (kept.empty())
        return;
    std::vector<float> cells(static_cast<std::size_t>(keys));
    kept.read(head, row, cells);
    for (std::size_t key = 0; key < cells.size(); ++key)
        if (cells[key] == 0.0F)
            out[key] = 1.0;
}

void Pass::weights(std::int64_t head, std::int64_t first, std::int64_t count, std::span<float> out,
                   std::span<float> lse_out) const {
    if (!given.empty()) {
        for (std::int64_t i = 0; i < count; ++i)
            given.read(head, first + i,
                       out.subspan(static_cast<std::size_t>(i * keys), static_cast<std::size_t>(keys)));
        return;
    }
    const auto [first_key, last_key] = readable(first, first + count);
    if (width == 0)
        std::fill(out.begin(), out.begin() + count * keys, 0.0F);
    else if (const auto span = last_key - first_key; span > 0)
        multiply(rows_of(query, head, queries, width, first, count),
                 rows_of(key, key_head(head), keys, width, first_key, span), true, out.data() + first_key, keys);
    std::vector<float> cells(kept.empty() && added.empty() ? 0 : static_cast<std::size_t>(keys));
    for (std::int64_t i = 0; i < count; ++i) {
        const auto range = readable(first + i);
        const auto row = out.subspan(static_cast<std::size_t>(i * keys), static_cast<std::size_t>(keys));
        std::fill(row.begin(), row.begin() + range.first, 0.0F);
        std::fill(row.begin() + range.last, row.end(), 0.0F);
        const auto read =
            row.subspan(static_cast<std::size_t>(range.first), static_cast<std::size_t>(range.last - range.first));
        for (float& score : read)
            score *= static_cast<float>(scale);
        if (soft_cap != 0.0)
            for (float& score : read)
                score = static_cast<float>(soft_cap) * std::tanh(score / static_cast<float>(soft_cap));
        if (by_distance) {
            const float* by_key = by_distance->data() + head * (queries + keys - 1) + queries - 1 - (first + i);
            for (auto j = range.first; j < range.last; ++j)
                row[static_cast<std::size_t>(j)] += by_key[j];
        }
        change_by_cells(head, first + i, row, cells);
        const float lse_of_row = softmax(read, sinks.empty() ? nullptr : &sinks[static_cast<std::size_t>(head)]);
        if (!lse_out.empty())
            lse_out[static_cast<std::size_t>(i)] = lse_of_row;
    }
}

void Pass::change_by_cells(std::int64_t head, std::int64_t row, std::span<float> scores, std::span<float> cells) const {
    const auto range = readable(row);
    const auto first = static_cast<std::size_t>(range.first), last = static_cast<std::size_t>(range.last);
    if (!added.empty()) {
        added.read(head, row, cells);
        for (auto key = first; key < last; ++key)
            scores[key] += cells[key];
    }
    if (!kept.empty()) {
        kept.read(head, row, cells);
        for (auto key = first; key < last; ++key)
            if (cells[key] == 0.0F)
                scores[key] = -std::numeric_limits<float>::infinity();
    }
}

std::vector<float> Pass::weights(std::int64_t head) const {
    std::vector<float> all(static_cast<std::size_t>(queries * keys));
    for (std::int64_t first = 0; first < queries; first += block_rows) {
        const auto count = std::min(block_rows, queries - first);
        weights(head, first, count,
                std::span(all).subspan(static_cast<std::size_t>(first * keys), static_cast<std::size_t>(count * keys)));
    }
    return all;
}

Matrix attend(Pass& pass, std::int64_t first, const RunControl& control) {
    pass.lse.resize(static_cast<std::size_t>(pass.heads * pass.queries));
    const bool is_plain =
        pass.soft_cap == 0.0 && !pass.by_distance && pass.added.empty() && pass.kept.empty() && !pass.reads_both_ways();
    const auto by_head = is_plain ? attend_in_tiles(pass, first, control) : attend_in_rows(pass, first, control);
    const auto rows = pass.queries - first, width = pass.width_of_values();
    auto output = Matrix::unset(rows, pass.heads * width);
    for_rows(rows, output.columns, [&](std::int64_t row) {
        for (std::int64_t head = 0; head < pass.heads; ++head)
            std::copy_n(by_head.data() + (head * rows + row) * width, width, output.row(row) + head * width);
    });
    return output;
}

} // namespace attnlab::model
