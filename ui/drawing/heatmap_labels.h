// Row and column labels of a heatmap: which of them show, where, and how they are painted.
#pragma once

#include "ui/drawing/heatmap_layout.h"
#include "ui/widgets/theme.h"

#include <QStringList>

#include <optional>
#include <vector>

class QPainter;

namespace attnlab::ui {

/// Width of the longest label of an axis. Of very many labels, those with the most characters are measured.
double longestLabel(const MatrixAxis& axis, const QFont& font);
/// Whether labels stand side by side unturned. Numbers always do: they are thinned instead.
bool columnLabelsFitFlat(const MatrixAxis& columns, const QFont& font, double cell_width);
/// Height that turned labels take, the longest being `length` long.
double turnedHeight(const QFont& font, double length);

struct PlacedLabel {
    int index = 0;
    QString text;   ///< elided where long
    QPointF anchor; ///< rows: middle of the right end; columns: middle of the bottom, or the start when turned
    bool highlighted = false;
};

/// Labels never overlap: every second, fifth, tenth ... is left where there is no room. The highlighted cell's are
/// there in any case.
struct HeatmapLabels {
    std::vector<PlacedLabel> rows;
    std::vector<PlacedLabel> columns;
    bool columns_turned = false;
    bool columns_upright = false; ///< turned all the way
};
HeatmapLabels placeLabels(const HeatmapLayout& layout, const HeatmapFrame& frame, const MatrixAxes& axes,
                          const QFont& font, std::optional<Cell> highlighted);

/// Labels and axis titles. `font` is that of placeLabels.
void paintLabels(QPainter& painter, const HeatmapLayout& layout, const HeatmapLabels& labels, const MatrixAxes& axes,
                 const QFont& font, const Theme& look);

} // namespace attnlab::ui
