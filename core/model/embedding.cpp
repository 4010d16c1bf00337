// Implements the part of forward.h about the input of the first block: tokens, positions and patches of an image.
#include "core/model/forward.h"
#include "core/model/layers.h"

#include <algorithm>
#include <cmath>

namespace attnlab::model {
namespace {

void add_row(std::span<float> row, const Weight& table, std::int64_t index) {
    const auto values = widened_row(table, index);
    for (std::size_t i = 0; i < row.size(); ++i)
        row[i] += values[i];
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
std::vector<std::int64_t> positions_of(const Positions& positions, const std::vector<std::int64_t>& ids,
                                       std::int64_t count) {
    std::vector<std::int64_t> rows;
    std::int64_t counted = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        if (!positions.padding)
            rows.push_back(i + positions.offset);
        else if (ids[static_cast<std::size_t>(i)] == *positions.padding)
            rows.push_back(*positions.padding);
        else
            rows.push_back(counted++ + positions.offset);
    }
    return rows;
}

/// A row for each patch, behind that of the class.
Matrix patch_rows(const Patches& patches, const Pixels& image, const RunControl& control) {
    Matrix cut(patches.rows() * patches.columns(), patches.projection.inputs);
    for (std::int64_t patch = 0; patch < cut.rows; ++patch) {
        const auto top = patch / patches.columns() * patches.height, left = patch % patches.columns() * patches.width;
        float* out = cut.row(patch);
        for (std::int64_t channel = 0; channel < patches.channels; ++channel)
            for (std::int64_t y = top; y < top + patches.height; ++y, out += patches.width)
                std::copy_n(image.values.data() + (channel * image.height + y) * image.width + left, patches.width,
                            out);
    }
    const auto projected = product(cut, patches.projection, control);
    Matrix rows(projected.rows + 1, projected.columns);
    std::copy(projected.values.begin(), projected.values.end(), rows.row(1));
    add_row(rows.row_span(0), *patches.class_token, 0);
    return rows;
}

} // namespace

Matrix embed(const Embedding& embedding, const std::vector<std::int64_t>& ids, const std::vector<std::int64_t>& types,
             const std::optional<Pixels>& image, std::int64_t first, const RunControl& control) {
    Matrix rows;
    if (embedding.patches) {
        rows = patch_rows(*embedding.patches, *image, control);
    } else {
        rows = Matrix(std::ssize(ids) - first, embedding.tokens->columns());
        for (std::int64_t i = 0; i < rows.rows; ++i)
            embedding.tokens->read_rows(ids[static_cast<std::size_t>(first + i)], 1, rows.row_span(i));
        scale(rows, embedding.factor);
    }
    if (embedding.projection)
        rows = product(rows, *embedding.projection, control);
    if (embedding.types)
        for (std::int64_t i = 0; i < rows.rows; ++i)
            add_row(rows.row_span(i), *embedding.types, types.empty() ? 0 : types[static_cast<std::size_t>(first + i)]);
    const auto& positions = embedding.positions;
    const auto at = positions_of(positions, ids, first + rows.rows);
    for (std::int64_t i = 0; i < rows.rows; ++i) {
        const auto position = at[static_cast<std::size_t>(first + i)];
        if (positions.kind == Positions::Kind::Learned)
            add_row(rows.row_span(i), *positions.table, position);
        else if (positions.kind == Positions::Kind::Sinusoidal)
            add_sinusoids(rows.row_span(i), position);
    }
    normalize(rows, embedding.norm);
    return rows;
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

} // namespace attnlab::model
