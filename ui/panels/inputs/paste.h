// Between the cells of a tensor and the clipboard of a spreadsheet.
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

/// The numbers as tab-separated text and as an HTML table, both exact. Empty label lists are left out.
std::unique_ptr<QMimeData> mimeOf(const Tensor& cells, const QStringList& row_labels = {},
                                  const QStringList& column_labels = {});

/// Clipboard text as a table: a single number in the user's locale, or what io::read_table understands. Throws Error.
io::Table tableFrom(const QString& text);

/// What a paste makes of the problem.
struct Pasted {
    std::optional<AttentionProblem> problem; ///< nothing: refused, the message says why
    CellRange cells;                         ///< where the numbers went
    QString message;                         ///< what the user should know; may be empty
};

/// One number fills the selection. A block overwrites from the corner of the selection on and is clipped, wherever that
/// corner is. Labels that come along become token labels where the axis has tokens.
Pasted pasted(const AttentionProblem& problem, const MatrixPlace& place, const CellRanges& selection,
              const io::Table& table);

/// The block replaces the tensor, size included; other inputs follow as in resized().
Pasted pastedAsTensor(const AttentionProblem& problem, const MatrixPlace& place, const io::Table& table);

} // namespace attnlab::ui
