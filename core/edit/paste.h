// A table of numbers pasted into a tensor.
#pragma once

#include "core/attention.h"
#include "core/edit/cells.h"
#include "core/io/csv.h"

#include <optional>

namespace attnlab {

/// What a paste makes of a problem.
struct Pasted {
    std::optional<AttentionProblem> problem; ///< nothing: refused, the message says why
    CellRange cells;                         ///< where the numbers went
    Message message;                         ///< what the user should know; may be empty
};

/// One number fills the selection. A block overwrites from the corner of the selection on and is clipped, wherever that
/// corner is. Labels that come along become token labels where the axis has tokens.
Pasted pasted(const AttentionProblem& problem, const MatrixPlace& place, const CellRanges& selection,
              const io::Table& table);

/// The block replaces the tensor, size included; other inputs follow as in resized(), and the message names them. A block
/// of more than two axes replaces the tensor in pasted(), too, and gives it another number of axes where it may have it.
Pasted pasted_as_tensor(const AttentionProblem& problem, const MatrixPlace& place, const io::Table& table);

} // namespace attnlab
