// The heatmaps of a figure on its page: one, several that share their axes, or several with axes of their own.
#pragma once

#include "ui/drawing/figure.h"
#include "ui/widgets/theme.h"

class QPainter;
class QRectF;

namespace attnlab::ui {

/// How one figure is painted, whatever it shows.
struct FigurePen {
    QPainter& painter;
    const ColorScale& scale;
    const FigureOptions& options;
    const Theme& look;
    bool vectors;
};

/// Text of a figure that is `points` large, on every device.
QFont figureFont(const FigureOptions& options, int points);
/// Text that does not say its size.
QFont figureFont(const FigureOptions& options);

/// Paints a heading at the top of `area`, and returns its height with the gap below it.
double paintTitle(QPainter& painter, const QRectF& area, const QString& title, const FigureOptions& options,
                  const Theme& look);

/// Labels are as large as the options say. Where these leave it open, they are 10 points large, or down to 6 where more
/// of them have room then; they lean or stand upright, whichever shows more. Tokens that have no room are left out
/// evenly, and the title of the axis says so.
void paintPanels(const FigurePen& pen, const QRectF& page, const FigurePanels& panels);

} // namespace attnlab::ui
