// Row and column labels of a heatmap: selection, placement and painting.
#pragma once

#include "ui/drawing/heatmap_layout.h"
#include "ui/widgets/theme.h"

#include <QStringList>

#include <optional>
#include <vector>

class QPainter;

namespace attnlab::ui {

/// Width of the longest label of an axis. For very many labels, only those with the most characters are measured.
double longestLabel(const MatrixAxis& axis, const QFont& font);
/// True when labels fit side by side horizontally. Always true for numbers, which are thinned instead.
bool columnLabelsFitFlat(const MatrixAxis& columns, const QFont& font, double cell_width);
/// True when every row has its label. Always true for numbers.
bool rowLabelsFit(const MatrixAxis& rows, const QFont& font, double cell_height);
/// Height of turned labels, the longest of which has the width `length`.
double turnedHeight(const QFont& font, double length);

struct PlacedLabel {
    int index = 0;
    QString text;   ///< elided if long
    QPointF anchor; ///< rows: middle of the right end; columns: middle of the bottom, or the start when turned
    bool highlighted = false;
};

/// Labels never overlap: only every second, fifth, tenth ... is shown where room is lacking. The highlighted cell's are
/// always shown.
struct HeatmapLabels {
    std::vector<PlacedLabel> rows;
    std::vector<PlacedLabel> columns;
    bool columns_turned = false;
    bool columns_upright = false; ///< vertical
};
HeatmapLabels placeLabels(const HeatmapLayout& layout, const HeatmapFrame& frame, const MatrixAxes& axes,
                          const QFont& font, std::optional<Cell> highlighted);

/// Labels and axis titles. `font` is that of placeLabels.
void paintLabels(QPainter& painter, const HeatmapLayout& layout, const HeatmapLabels& labels, const MatrixAxes& axes,
                 const QFont& font, const Theme& look);

} // namespace attnlab::ui
