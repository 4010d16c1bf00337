// Marks that distinguish tiles and boxes in drawings, also without colour.
#pragma once

#include "ui/drawing/colormap.h"
#include "ui/drawing/drawing.h"
#include "ui/pages/exhibits/tile_steps.h"

#include <QString>

#include <functional>
#include <vector>

class QPainter;

namespace attnlab::ui {

/// Paints the mark of a tile's state over its cells: an edge when done, a double line while being read, a veil and dots
/// before, a cross when skipped.
void paintTileMark(QPainter& painter, const QRectF& tile, TileState state, const Theme& look);
/// The colours that are left of a map under the veil of tiles that are not read.
Colormap veiled(const Colormap& map, const Theme& look);
/// The outline of what is being read.
void paintReadingOutline(QPainter& painter, const QRectF& rect, const Theme& look);

/// Samples with text side by side, from the left of `area`.
struct LegendEntry {
    std::function<void(QPainter&, const QRectF&)> sample;
    QString text;
};
/// The sample of a tile in a state.
LegendEntry tileEntry(TileState state, const QString& text, const Theme& look);
double legendWidth(const std::vector<LegendEntry>& entries, const QFont& font);
void paintLegend(QPainter& painter, const QRectF& area, const std::vector<LegendEntry>& entries,
                 const DrawingStyle& style);

} // namespace attnlab::ui
