// The data of a matrix view: numbers, blocked cells and labels. The matrix as a plain image and on the clipboard.
#pragma once

#include "core/tensor.h"
#include "ui/drawing/colormap.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <QImage>
#include <QRect>
#include <QRectF>
#include <QString>
#include <QStringList>

class QMimeData;
class QPainter;

namespace attnlab::ui {

/// A token that tokenizers put before a text, such as "<|endoftext|>", "<s>" and "[CLS]".
bool isStartToken(const QString& label);
/// "start" if it stands before a text, else in one line.
QString shownLabel(const QStringList& labels, qsizetype index);

/// The labels of one side of a matrix.
struct MatrixAxis {
    std::int64_t count = 0; ///< rows or columns
    QStringList labels;     ///< empty: numbers
    QString title;          ///< "query token"
    /// The first number and the step: a row may combine several tokens.
    std::int64_t first = 0, step = 1;
    bool unnamed = false; ///< neither labels nor numbers
    bool literal = false; ///< a token that starts a text keeps its name, because a text speaks of it

    std::int64_t number(std::int64_t index) const { return first + index * step; }
    /// shownLabel(), or a number where there is no label.
    QString label(std::int64_t index) const;
    /// For a tooltip: "start (<|endoftext|>)".
    QString fullLabel(std::int64_t index) const;
};

struct MatrixAxes {
    MatrixAxis rows, columns;
    bool empty() const { return rows.count == 0 || columns.count == 0; }
};

/// A matrix of a larger tensor, sharing its storage. Rows run down, columns to the right.
struct MatrixData {
    Tensor values;
    std::int64_t leading = 0;         ///< index of the matrix in `values` (see matrix_at)
    Tensor blocked;                   ///< bool (..., rows, columns), or empty: nothing blocked
    std::int64_t blocked_leading = 0; ///< index of the matrix in `blocked`
    bool shows_leaks = false;         ///< shows numbers other than 0 even in blocked cells
    Tensor hidden;                    ///< bool (rows, columns): cells with a "?" instead of their number; empty: none
    /// Bool (rows, columns): cells that are blocked in one of two compared matrices, with a mark in a corner; empty:
    /// none.
    Tensor blocked_in_one;
    QStringList row_labels; ///< empty: numbers
    QStringList column_labels;
    QString row_title;    ///< "query token"
    QString column_title; ///< "key token"
    /// The first number and the step of rows and columns: a row may combine several tokens.
    std::int64_t first_row = 0, row_step = 1, first_column = 0, column_step = 1;
    bool columns_unnamed = false; ///< neither labels nor numbers: a matrix above has the same
    bool literal_labels = false;  ///< see MatrixAxis

    MatrixView view() const { return matrix_at(values, leading); }
    MatrixView blockedView() const { return matrix_at(blocked, blocked_leading); }
    bool isHidden(std::int64_t row, std::int64_t column) const {
        return hidden.size() > 0 && hidden.data()[row * hidden.dim(-1) + column] != 0.0;
    }
    bool isBlockedInOne(std::int64_t row, std::int64_t column) const {
        return blocked_in_one.size() > 0 && blocked_in_one.data()[row * blocked_in_one.dim(-1) + column] != 0.0;
    }
    /// False for a hidden cell.
    bool isBlocked(std::int64_t row, std::int64_t column) const {
        return blocked.size() > 0 && !isHidden(row, column) &&
               blocked.data()[(blocked_leading * blocked.dim(-2) + row) * blocked.dim(-1) + column] != 0.0 &&
               !(shows_leaks && std::abs(view()(row, column)) > 0.0);
    }
    /// The number shown in a cell; nullopt where it is blocked or hidden.
    std::optional<double> numberAt(std::int64_t row, std::int64_t column) const {
        return isHidden(row, column) || isBlocked(row, column) ? std::nullopt : std::optional(view()(row, column));
    }
    MatrixAxes axes() const {
        return {
            {view().rows, row_labels, row_title, first_row, row_step, false, literal_labels},
            {view().columns, column_labels, column_title, first_column, column_step, columns_unnamed, literal_labels}};
    }
    QString rowLabel(std::int64_t row) const { return axes().rows.label(row); }
    QString columnLabel(std::int64_t column) const { return axes().columns.label(column); }
};

/// What a tooltip or a screen reader says of a hidden cell.
QString hiddenText();

// A matrix as a plain image without axes: thumbnails of stages and heads, and the cells of large views.
/// One pixel a cell, or fewer when the matrix is larger than `largest` (each pixel then shows the cell of largest
/// magnitude that it covers). Blocked cells and NaN are transparent, so that callers can paint the hatch below.
QImage matrixImage(const MatrixData& matrix, const ColorScale& scale, QSize largest = QSize(512, 512));
/// The same for some of the cells: left/top of `cells` = first column/row.
QImage matrixImage(const MatrixData& matrix, const ColorScale& scale, const QRect& cells, QSize largest);

/// Paints the matrix into `target` with blocked cells and NaN hatched (cells ahead are plain), without smoothing, with
/// the aspect ratio of `target`.
void paintMatrix(QPainter& painter, const QRectF& target, const MatrixData& matrix, const ColorScale& scale);
/// The same for some of the cells.
void paintMatrix(QPainter& painter, const QRectF& target, const MatrixData& matrix, const ColorScale& scale,
                 const QRect& cells, const Theme& look);

/// Kinds of cells without a colour. Ahead: blocked as by a causal mask, which is drawn as a plain surface.
enum class Hatch { Blocked, Ahead, NotANumber };

/// MatrixData::isBlocked for loops over many cells. The matrix must outlive it.
class BlockedCells {
public:
    explicit BlockedCells(const MatrixData& matrix)
        : blocked_(matrix.blocked.size() > 0 ? matrix.blockedView().data : nullptr),
          hidden_(matrix.hidden.size() > 0 ? matrix.hidden.data() : nullptr),
          leaks_(matrix.shows_leaks ? matrix.view().data : nullptr), columns_(matrix.view().columns) {}
    bool operator()(std::int64_t row, std::int64_t column) const {
        const auto at = row * columns_ + column;
        return blocked_ && blocked_[at] != 0.0 && !(hidden_ && hidden_[at] != 0.0) &&
               !(leaks_ && std::abs(leaks_[at]) > 0.0);
    }
    bool any() const { return blocked_ != nullptr; }

private:
    const double* blocked_;
    const double* hidden_;
    const double* leaks_;
    std::int64_t columns_;
};

/// Which cells of a matrix have no colour. The matrix must outlive it.
class HatchedCells {
public:
    explicit HatchedCells(const MatrixData& matrix);

    std::optional<Hatch> operator()(std::int64_t row, std::int64_t column) const {
        if (!blocked_(row, column))
            return std::isnan(view_(row, column)) ? std::optional(Hatch::NotANumber) : std::nullopt;
        return reach_ && column > row + *reach_ ? Hatch::Ahead : Hatch::Blocked;
    }
    /// Where a causal mask is among the blocked cells: row i reads no column behind i + reach. From 0 to S - L, or 0.
    std::optional<std::int64_t> reach() const { return reach_; }

private:
    BlockedCells blocked_;
    MatrixView view_;
    std::optional<std::int64_t> reach_;
};

/// The colour between the lines of a hatch.
QColor hatchBack(const Theme& look, Hatch hatch);
/// Fills an area with a hatch that continues across neighbouring areas. Uses polygons on a vector device.
void paintHatch(QPainter& painter, const QRectF& area, const Theme& look = theme(), Hatch hatch = Hatch::Blocked);

/// More would keep the window waiting, and no spreadsheet takes them.
inline constexpr std::int64_t most_copied_cells = 1'000'000;

/// The numbers as tab-separated text and as an HTML table, both exact. Empty label lists are omitted.
std::unique_ptr<QMimeData> mimeOf(const MatrixView& cells, const QStringList& row_labels = {},
                                  const QStringList& column_labels = {});

} // namespace attnlab::ui
