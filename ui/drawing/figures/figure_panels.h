// Paints the heatmaps of a figure: one, several with shared axes, or several with their own.
#pragma once

#include "ui/drawing/figures/figure.h"
#include "ui/drawing/figures/figure_grid.h"
#include "ui/drawing/heatmap_painter.h"
#include "ui/widgets/theme.h"

#include <optional>
#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QStringList>
#include <vector>

class QPainter;

namespace attnlab::ui {

/// Of the lines that cross a heatmap out, and of the light edge around them.
constexpr double cross_width = 0.8, cross_edge = 0.6;

/// How a figure is painted, for any content.
struct FigurePen {
    QPainter& painter;
    const ColorScale& scale;
    const FigureOptions& options;
    const Theme& look;
    bool vectors;
};

/// Paints a heading at the top of `area`, in the middle of `above` if it has room there, and returns its height with
/// the gap below it.
double paintTitle(QPainter& painter, const QRectF& area, const QRectF& above, const QString& title,
                  const FigureOptions& options, const Theme& look);
/// The height that paintTitle() returns; 0 for an empty title.
double figureTitleHeight(const FigureOptions& options);

/// Heatmaps with equal axes, arranged on a page.
struct PlacedPanels {
    FigurePanels panels; ///< with the names that the options give them
    FigureGrid grid;
    LabelStyle style;
    QString column_title, row_title; ///< with the step of labels, where some are left out
    QString column_name, row_name;   ///< without
    MarginSet margins;               ///< of these panels, on the scales of all
    int first = 0;                   ///< index of the first panel among all
    int mark_points = 0;             ///< size of the marks of all panels
};
/// All panels below the title: one group where they share axes, otherwise one for each. `pixel` as in GridRequest.
std::vector<PlacedPanels> placePanels(const ColorScale& scale, const FigureOptions& options, const FigurePanels& panels,
                                      double pixel, const QRectF& page);
/// The numbers at the ends of profiles, at the last heatmap below and at the first one at the left.
struct ProfileEnd {
    QString text;
    QRectF area;
    Qt::Alignment alignment;
};
std::vector<ProfileEnd> profileEnds(const PlacedPanels& placed, int index);
/// The parts of a heatmap's mark.
struct PlacedMark {
    QRectF whole, bar; ///< the track, and the part that is filled or has an outline
    QRectF words;      ///< where the text is, in the middle
    QString text;      ///< shortened to the room
    QFont font;        ///< the same of all marks of a figure, but for its weight
};
/// nullopt: it has none.
std::optional<PlacedMark> placeMark(const PlacedPanels& placed, int index, const FigureOptions& options);

/// The lines of a figure's note, and where the first begins; they are below everything else, from edge to edge.
struct PlacedNote {
    QStringList lines;
    QFont font;
    double line = 0.0;   ///< from line to line
    double height = 0.0; ///< with the gap above; 0: there is no note
    QPointF first;       ///< left end of the first line, at its middle
};
/// `page` has the height of the figure.
PlacedNote placeNote(const QString& note, const FigureOptions& options, const QRectF& page);

/// "a", "b", ...
QString panelLetter(int index);
/// Whether pdfLaTeX prints a letter in its own fonts (figure_tex.cpp).
bool isTexLetter(char32_t letter);
/// The font and digits of the numbers in cells; 0 digits: they do not fit.
CellNumbers panelNumbers(const HeatmapFrame& frame, const MatrixData& matrix, const FigureOptions& options, int points);

/// Labels have the size given by the options, or else their largest size, reduced down to 6 where that shows more of
/// them; they lean or are vertical, whichever shows more. Labels that do not fit are omitted evenly, and the title of
/// the axis mentions it.
void paintPanels(const FigurePen& pen, const QRectF& page, const FigurePanels& panels);
/// The height that the panels and the title need at the width of the options.
double heightOfPanels(const ColorScale& scale, const FigureOptions& options, const FigurePanels& panels);

} // namespace attnlab::ui
