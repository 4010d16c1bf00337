// How tiles and boxes are told apart in drawings, colour or not.
#pragma once

#include "ui/drawing/drawing.h"
#include "ui/pages/exhibits/tile_steps.h"

#include <QString>

#include <functional>
#include <vector>

class QPainter;

namespace attnlab::ui {

/// What is laid over the cells of a tile: nothing but an edge when it is done, a double line around the one being read,
/// a veil and dots on those to come, a cross over those skipped.
void paintTileMark(QPainter& painter, const QRectF& tile, TileState state, const Theme& look);
/// The line around what is being read, wherever it is.
void paintReadingOutline(QPainter& painter, const QRectF& rect, const Theme& look);

/// Samples with words side by side, from the left of `area`.
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
