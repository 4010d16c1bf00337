// Matrices of activations, and work on their rows.
#pragma once

#include "core/floats.h"

#include <cstdint>
#include <functional>
#include <span>

namespace attnlab::model {

/// Row-major, `stride` numbers from one row to the next.
struct MatrixPart {
    const float* values = nullptr;
    std::int64_t rows = 0, columns = 0, stride = 0;
};

/// Row-major.
struct Matrix {
    std::int64_t rows = 0, columns = 0;
    Floats values;

    Matrix() = default;
    /// Zeros.
    Matrix(std::int64_t row_count, std::int64_t column_count)
        : rows(row_count), columns(column_count), values(static_cast<std::size_t>(row_count * column_count), 0.0F) {}
    /// For a matrix whose numbers are all written next.
    static Matrix unset(std::int64_t row_count, std::int64_t column_count) {
        Matrix made;
        made.rows = row_count;
        made.columns = column_count;
        made.values = Floats(static_cast<std::size_t>(row_count * column_count));
        return made;
    }

    float* row(std::int64_t index) { return values.data() + index * columns; }
    const float* row(std::int64_t index) const { return values.data() + index * columns; }
    std::span<float> row_span(std::int64_t index) { return {row(index), static_cast<std::size_t>(columns)}; }
    std::span<const float> row_span(std::int64_t index) const {
        return {row(index), static_cast<std::size_t>(columns)};
    }
};

/// Calls work(row) for each of `rows` rows of `width` numbers: on all cores, unless waking them takes longer.
void for_rows(std::int64_t rows, std::int64_t width, const std::function<void(std::int64_t row)>& work);
/// `count` numbers by all cores.
void copy_numbers(const float* from, std::int64_t count, float* to);

} // namespace attnlab::model
