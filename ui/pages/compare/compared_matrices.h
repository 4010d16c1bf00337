// A, B and A - B as the three matrices of views and figures.
#pragma once

#include "core/compare.h"
#include "ui/drawing/figure.h"

#include <optional>

namespace attnlab::ui {

struct ComparedMatrices {
    MatrixData a;
    MatrixData b;
    MatrixData difference; ///< blocked where both are
    ColorScale values;     ///< one for A and B, over all heads of the batch
    ColorScale gaps;       ///< diverging, centred on 0, over all heads of the batch

    /// For a figure with the scale `values`; the titles are shown above A and B.
    FigurePanels panels(const QString& title_a, const QString& title_b,
                        const QString& title_of_difference = QStringLiteral("A − B")) const;
};

/// One batch and head (or ViewState::mean_of_heads) of a comparison of `a` with `b`. nullopt when the indices are
/// outside the stage or it is empty.
std::optional<ComparedMatrices> comparedMatrices(const Trace& a, const Trace& b, const Comparison& comparison,
                                                 int batch, int head, const ColorChoice& choice);

} // namespace attnlab::ui
