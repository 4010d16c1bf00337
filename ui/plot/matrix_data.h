// What a matrix view shows: numbers, which cells are blocked, and labels.
#pragma once

#include "core/tensor.h"

#include <QString>
#include <QStringList>

#include <cmath>

namespace attnlab::ui {

/// A matrix of a larger tensor, sharing its storage. Rows run down, columns to the right.
struct MatrixData {
    Tensor values;
    std::int64_t leading = 0;         ///< which matrix of `values` (see matrix_at)
    Tensor blocked;                   ///< bool (..., rows, columns), or empty: nothing blocked
    std::int64_t blocked_leading = 0; ///< which matrix of `blocked`
    bool shows_leaks = false;         ///< a number other than 0 is shown even where it is blocked
    QStringList row_labels;           ///< empty: numbers
    QStringList column_labels;
    QString row_title;    ///< "query token"
    QString column_title; ///< "key token"
    /// What rows and columns are numbered from, and by: a row may stand for several tokens.
    std::int64_t first_row = 0, row_step = 1, first_column = 0, column_step = 1;

    MatrixView view() const { return matrix_at(values, leading); }
    MatrixView blockedView() const { return matrix_at(blocked, blocked_leading); }
    bool isBlocked(std::int64_t row, std::int64_t column) const {
        return blocked.size() > 0 &&
               blocked.data()[(blocked_leading * blocked.dim(-2) + row) * blocked.dim(-1) + column] != 0.0 &&
               !(shows_leaks && std::abs(view()(row, column)) > 0.0);
    }
    std::int64_t rowNumber(std::int64_t row) const { return first_row + row * row_step; }
    std::int64_t columnNumber(std::int64_t column) const { return first_column + column * column_step; }
    QString rowLabel(std::int64_t row) const {
        return row < row_labels.size() && !row_labels[row].isEmpty() ? row_labels[row]
                                                                     : QString::number(rowNumber(row));
    }
    QString columnLabel(std::int64_t column) const {
        return column < column_labels.size() && !column_labels[column].isEmpty()
                   ? column_labels[column]
                   : QString::number(columnNumber(column));
    }
};

} // namespace attnlab::ui
