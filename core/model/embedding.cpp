#include "core/model/embedding.h"

#include "core/model/layers.h"
#include "core/model/mixers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace attnlab::model {
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
                                                 Patches::Resize resize) {
    std::vector<std::pair<std::int64_t, float>> found;
    if (resize == Patches::Resize::AlignedBilinear) {
        const float at = static_cast<float>(index * (from - 1)) / static_cast<float>(std::max<std::int64_t>(1, to - 1));
        const auto first = static_cast<std::int64_t>(std::floor(at));
        const float part = at - static_cast<float>(first);
        return {{first, 1.0F - part}, {std::min(first + 1, from - 1), part}};
    }
    const float scale = static_cast<float>(from) / static_cast<float>(to);
    if (resize == Patches::Resize::Bicubic) {
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
    Matrix fitted(patches.rows() * patches.columns(), width);
    for (std::int64_t row = 0; row < patches.rows(); ++row)
        for (std::int64_t column = 0; column < patches.columns(); ++column)
            for (const auto& [y, down] : taps(row, patches.table_rows, patches.rows(), patches.resize))
                for (const auto& [x, across] : taps(column, patches.table_columns, patches.columns(), patches.resize)) {
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

} // namespace attnlab::model
