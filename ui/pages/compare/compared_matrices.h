// A, B and A - B as the three matrices that views and figures show.
#pragma once

#include "core/compare.h"
#include "ui/drawing/figure.h"

#include <optional>

namespace attnlab::ui {

struct ComparedMatrices {
    MatrixData a;
    MatrixData b;
    MatrixData difference; ///< a cell is blocked where it is in both
    ColorScale values;     ///< one for A and B, over all heads of the batch
    ColorScale gaps;       ///< diverging, centred on 0, over all heads of the batch

    /// For a figure whose scale is `values`; the titles stand above A and B.
    FigurePanels panels(const QString& title_a, const QString& title_b,
                        const QString& title_of_difference = QStringLiteral("A − B")) const;
};

/// One batch and head (or ViewState::MeanOfHeads) of a comparison of `a` with `b`. Nothing when the indices are outside
/// the stage or it is empty.
std::optional<ComparedMatrices> comparedMatrices(const Trace& a, const Trace& b, const Comparison& comparison,
                                                 int batch, int head, const ColorChoice& choice);

} // namespace attnlab::ui
