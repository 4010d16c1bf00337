// Where the parts of a figure are: heatmaps of equal size in a grid, their labels, titles and colour bars.
#pragma once

#include "ui/drawing/figures/figure.h"
#include "ui/drawing/figures/figure_margins.h"
#include "ui/drawing/heatmap_layout.h"

#include <QFont>
#include <QRectF>
#include <vector>

namespace attnlab::ui {

/// A figure's font of `points`, on every device.
QFont figureFont(const FigureOptions& options, int points);
/// The default font of a figure.
QFont figureFont(const FigureOptions& options);

inline constexpr double mark_bar_height = 3.0; ///< of the bar of a PanelMark, in points

/// How labels are drawn.
struct LabelStyle {
    int points = 10;
    bool upright = false;
};

/// A colour bar, for all heatmaps or for those above it.
struct FigureBar {
    QRectF area;
    ColorScale scale;
    Qt::Orientation along = Qt::Vertical;
};

/// Row labels are left of the first column, column labels above the first row.
struct FigureGrid {
    int columns = 1;
    int rows = 1;
    QSizeF needed;       ///< of everything
    QSizeF body;         ///< of each heatmap; empty: there is no room
    QPointF first;       ///< corner of the first one
    QSizeF stride;       ///< from one corner to the next
    double left = 0.0;   ///< width of the row labels with their title and gap
    double band = 0.0;   ///< height of the column labels
    double line = 0.0;   ///< of a heatmap's own title; 0: none has one
    QRectF row_title;    ///< of the vertical axis; empty: none
    QRectF column_title; ///< of the horizontal axis; empty: none
    std::vector<FigureBar> bars;
    double mark = 0.0;  ///< height of the bar and words below each heatmap; 0: none has any
    double strip = 0.0; ///< depth of a profile; 0: there is none
    bool has_row_profile = false;
    QRectF row_profile_title;    ///< right of all profiles of rows; empty: none
    QRectF column_profile_title; ///< below those of columns
    double to_bar = 0.0;         ///< from heatmaps to the bars below or beside them
    HeatmapLabels labels;        ///< of the first heatmap

    /// The part of a layout that label placement uses, for one of the heatmaps.
    HeatmapLayout partOf(int index, const QRectF& page, bool upright) const;
    QRectF bodies(int count) const;          ///< all of them
    QRectF nameOf(int index) const;          ///< the line of a heatmap's own title
    QRectF markOf(int index) const;          ///< the bar and the words below a heatmap
    QRectF rowProfileOf(int index) const;    ///< at the right of a heatmap
    QRectF columnProfileOf(int index) const; ///< below it
};

/// What is arranged. `panels` have equal axes.
struct GridRequest {
    const FigurePanels& panels;
    const ColorScale& scale; ///< of those without their own
    const FigureOptions& options;
    QRectF area;        ///< its height counts unless the options leave it to the figure
    double pixel = 0.0; ///< that cells are rounded to; 0: none
    bool named = false; ///< panels have titles or letters
    const MarginSet& margins;
};

/// The font of the numbers at the ends of profiles.
QFont profileFont(const FigureOptions& options, int points);

/// The axes of a matrix in a figure; `titled`: with their names.
MatrixAxes figureAxes(const MatrixData& matrix, const FigureOptions& options, bool titled);

/// The arrangement with the largest heatmaps.
FigureGrid arrange(const GridRequest& request, const LabelStyle& style);

} // namespace attnlab::ui
