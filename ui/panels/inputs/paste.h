// Exchanges cells of a tensor with spreadsheets by the clipboard.
#pragma once

#include "core/attention.h"
#include "core/io/csv.h"
#include "ui/panels/inputs/tensor_edits.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <optional>

class QMimeData;

namespace attnlab::ui {

/// The numbers as tab-separated text and as an HTML table, both exact. Empty label lists are omitted.
std::unique_ptr<QMimeData> mimeOf(const Tensor& cells, const QStringList& row_labels = {},
                                  const QStringList& column_labels = {});

/// Clipboard text as a table: a single number in the user's locale, or a table of io::read_table. Throws Error.
io::Table tableFrom(const QString& text);

/// The result of a paste.
struct Pasted {
    std::optional<AttentionProblem> problem; ///< nullopt: refused, with the reason in `message`
    CellRange cells;                         ///< where the numbers were written
    QString message;                         ///< for the user; may be empty
};

/// One number fills the selection. A block overwrites the cells from the corner of the selection on, and is clipped.
/// Its labels become token labels if the axis has tokens.
Pasted pasted(const AttentionProblem& problem, const MatrixPlace& place, const CellRanges& selection,
              const io::Table& table);

/// The block replaces the tensor, including its size; other inputs are adapted as in resized().
Pasted pastedAsTensor(const AttentionProblem& problem, const MatrixPlace& place, const io::Table& table);

} // namespace attnlab::ui
