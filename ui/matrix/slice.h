// From a Trace to the one matrix that a view shows. No view indexes a stage by itself.
#pragma once

#include "core/attention.h"
#include "ui/drawing/matrix_data.h"

#include <optional>

namespace attnlab::ui {

/// The name without what tells its pass from others: "weights" of "encoder.0.self.weights".
std::string_view shortNameOf(const Stage& stage);

/// The chosen stage; where the trace has none of that name the weights, of the first layer where there are several,
/// else the last step. Null for a trace without steps.
const Stage* stageToShow(const Trace& trace, std::string_view chosen);

/// Sizes of the stages of a trace: B, and H of the scores (query heads). 1 where a trace has no such axis.
struct TraceSize {
    int batches = 1;
    int heads = 1;
};
TraceSize sizeOf(const Trace& trace);

/// The matrix of `stage` at a batch and head, with labels, and with blocked cells from the mask on. A head of
/// ViewState::MeanOfHeads averages over heads. Stages without a head axis ignore `head`; key and value heads are found
/// from the query head; a blocked cell that is read all the same (weight on it) counts as open; stages of one number a
/// row become one column, or one for each tile or round of hashing; of a matrix for each tile the last is shown.
/// Nothing when the indices are outside the stage.
std::optional<MatrixData> sliceOf(const Trace& trace, const Stage& stage, int batch, int head);

/// The same without labels and titles: for who only calculates, since a long sequence has many tokens.
std::optional<MatrixData> numbersOf(const Trace& trace, const Stage& stage, int batch, int head);

/// Scores are there for every cell until the mask comes: no cell of these stages is blocked.
bool precedesMask(const Trace& trace, const Stage& stage);

/// A finite fill may leave weight on a blocked cell, and exact attention reads what an approximation leaves out: that
/// is shown as the number that it is, not hidden under the hatch.
bool showsLeaks(const Stage& stage);

} // namespace attnlab::ui
