// The matrix of a trace that a view shows, its kind and its colour scale. No view indexes a stage by itself.
#pragma once

#include "core/attention.h"
#include "ui/document/view_state.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/matrix_data.h"

#include <optional>

namespace attnlab::ui {

/// The name without its pass: "weights" of "encoder.0.self.weights".
std::string_view shortNameOf(const Stage& stage);

/// The chosen stage; if the trace lacks it, the weights (of the first layer), else the last step. Null for a trace
/// without steps.
const Stage* stageToShow(const Trace& trace, std::string_view chosen);

/// Sizes of the stages of a trace: B, and H of the scores (query heads). 1 where a trace has no such axis.
struct TraceSize {
    int batches = 1;
    int heads = 1;
};
TraceSize sizeOf(const Trace& trace);

/// The matrix of `stage` at a batch and head, with labels, and with blocked cells from the mask on. A head of
/// ViewState::mean_of_heads averages over heads. Stages without a head axis ignore `head`; key and value heads follow
/// from the query head; a blocked cell that is read nevertheless (has weight) counts as open; stages of one number a
/// row become one column, or one for each tile or hashing round; of a matrix for each tile the last is used. nullopt
/// when the indices are outside the stage.
std::optional<MatrixData> sliceOf(const Trace& trace, const Stage& stage, int batch, int head);

/// The same without labels and titles: for calculations, since a long sequence has many tokens.
std::optional<MatrixData> numbersOf(const Trace& trace, const Stage& stage, int batch, int head);

/// True for scores before the mask: no cell of these stages is blocked.
bool precedesMask(const Trace& trace, const Stage& stage);

/// True for stages where blocked cells may be read: a finite fill may leave weight or a gradient on them, and exact
/// attention reads cells that an approximation omits. Such cells show their number, not the hatch.
bool showsLeaks(const Stage& stage);

// Classifies stages by their axes.

bool hasAxis(const Stage& stage, Axis axis);
/// True when the last two axes are these.
bool endsWithAxes(const Stage& stage, Axis rows, Axis columns);
/// True if rows are weights of keys, and not their gradients.
bool holdsWeights(const Stage& stage);
/// True of lse, entropy, ...: shown as a column.
bool hasOneNumberARow(const Stage& stage);

/// `head` if the trace has it, the last head otherwise; mean_of_heads stays.
int headWithin(const Trace& trace, int head);

/// The stage by whose maps heads are compared: the chosen one if it has a query-key map for each head, else the
/// weights. Null if there is neither.
const Stage* headMapStage(const Trace& trace, const QString& chosen);

/// The weights of the pass of a stage; of the first layer for a stage between passes. Null if there are none.
const Stage* weightsBeside(const Trace& trace, const Stage* stage);

// The common colour scale for all pictures of a stage.

/// The range of finite values of all heads of a batch without blocked cells, so that heads are comparable.
ValueRange rangeOf(const Trace& trace, const Stage& stage, int batch);

/// True for weights that linear colours would show as one: see linearHidesWeights(). The same for all heads.
bool linearHides(const Trace& trace, const Stage& stage, int batch);

ColorScale scaleFor(const Trace& trace, const Stage& stage, int batch, const ColorChoice& choice);
/// As a view shows it: in its range if that is held, and logarithmic where linearHides() it and the user has not
/// chosen. A locked range applies to the chosen stage alone.
ColorScale shownScale(const Trace& trace, const Stage& stage, int batch, const ViewState& view);

/// A stage of one trace and one of another.
struct TwoStages {
    const Trace& a_trace;
    const Stage& a;
    const Trace& b_trace;
    const Stage& b;
};
/// One scale for both, whose shapes may differ. It covers what is held of each; null: nothing is.
ColorScale scaleForBoth(const TwoStages& stages, int batch, const ColorChoice& choice,
                        const HeldColors* held = nullptr);

// Ranges that are held while a setting changes.

/// True where the next problem's setting has the same inputs and the same mechanism, whose numbers another scale,
/// mask or position changes.
bool keepsColors(const AttentionProblem& before, const AttentionSpec& setting, const AttentionProblem& next,
                 const AttentionSpec& next_setting);
/// Adds the ranges of all stages of a setting's result that are not held yet.
void holdRanges(HeldRanges& held, const Trace& trace, const AttentionSpec& setting);

} // namespace attnlab::ui
