// Arranges the heatmaps of a figure: one, several with shared axes, or several with their own.
#pragma once

#include "ui/drawing/figure.h"
#include "ui/widgets/theme.h"

class QPainter;
class QRectF;

namespace attnlab::ui {

/// How a figure is painted, for any content.
struct FigurePen {
    QPainter& painter;
    const ColorScale& scale;
    const FigureOptions& options;
    const Theme& look;
    bool vectors;
};

/// A figure's font of `points`, on every device.
QFont figureFont(const FigureOptions& options, int points);
/// The default font of a figure.
QFont figureFont(const FigureOptions& options);

/// Paints a heading at the top of `area`, and returns its height with the gap below it.
double paintTitle(QPainter& painter, const QRectF& area, const QString& title, const FigureOptions& options,
                  const Theme& look);

/// Labels have the size given by the options, or else 10 points, reduced down to 6 where that shows more of them; they
/// lean or are vertical, whichever shows more. Labels that do not fit are omitted evenly, and the title of the axis
/// mentions it.
void paintPanels(const FigurePen& pen, const QRectF& page, const FigurePanels& panels);

} // namespace attnlab::ui
