#include "ui/pages/exhibits/tile_walk_drawing.h"

#include "ui/drawing/heatmap_labels.h"
#include "ui/drawing/heatmap_painter.h"
#include "ui/pages/exhibits/tile_marks.h"
#include "ui/pages/exhibits/tile_words.h"
#include "ui/widgets/text.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr double walk_gap = 8.0;
constexpr double edge = 6.0; ///< the outline of rows extends beyond them
constexpr double walk_largest_cell = 54.0;
constexpr double narrow_column = 16.0; ///< of rows too low for numbers
constexpr double least_tile = 6.0;
constexpr double least_map = 110.0;

/// The side of a strip with this many features a token.
double stripSide(std::int64_t features, double most) {
    return std::clamp(static_cast<double>(features) * 6.0, 14.0, most);
}

/// Rounds to whole pixels where cells are large enough.
double whole(double size) { return size >= 8.0 ? std::floor(size) : size; }

QRectF tokenRows(const QRectF& column, std::int64_t first, std::int64_t count, std::int64_t all) {
    const double height = column.height() / static_cast<double>(all);
    return QRectF(column.left(), column.top() + static_cast<double>(first) * height, column.width(),
                  static_cast<double>(count) * height);
}

QRectF tokenColumns(const QRectF& row, TokenSpan span, std::int64_t all) {
    const double width = row.width() / static_cast<double>(all);
    return QRectF(row.left() + static_cast<double>(span.first) * width, row.top(),
                  static_cast<double>(span.count()) * width, row.height());
}

/// Only the part to be repainted: a map of many tokens is larger than its visible part.
HeatmapFrame clipped(const QPainter& painter, const HeatmapFrame& frame) {
    if (!painter.hasClipping())
        return frame;
    const QRectF clip = painter.clipBoundingRect();
    const QRect all = frame.visibleCells();
    const QPointF first = frame.toCells(clip.topLeft()), last = frame.toCells(clip.bottomRight());
    const QRect shown = QRect(QPoint(static_cast<int>(std::floor(first.x())), static_cast<int>(std::floor(first.y()))),
                              QPoint(static_cast<int>(std::ceil(last.x())), static_cast<int>(std::ceil(last.y()))))
                            .intersected(all);
    return shown.isEmpty() ? HeatmapFrame{} : HeatmapFrame{frame.rectOf(shown), QRectF(shown)};
}

} // namespace

struct TileWalkDrawing::Pen {
    QPainter& painter;
    const DrawingStyle& style;
    const TileWalkLayout& at;

    void cells(const QRectF& body, const MatrixData& matrix, const ColorScale& scale, bool numbers = false) const {
        if (matrix.view().empty() || body.isEmpty())
            return;
        const HeatmapFrame frame = clipped(painter, wholeFrame(body, matrix.axes()));
        if (frame.body.isEmpty())
            return;
        const HeatmapContent content{matrix, scale, style.look};
        if (style.vectors)
            paintCellsForFiles(painter, frame, content);
        else
            paintCells(painter, frame, content);
        if (numbers)
            paintNumbers(painter, frame, content, style.font);
    }
};

QSizeF TileWalkDrawing::smallest(const QFont& font, double) const {
    const double line = QFontMetricsF(font).height();
    const auto side = [](std::int64_t tiles, std::int64_t tokens) {
        // Small tiles stay distinguishable, and few tokens have cells large enough for the mouse.
        return std::max({static_cast<double>(tiles) * least_tile,
                         static_cast<double>(std::min<std::int64_t>(tokens, 24)) * 7.0,
                         std::min(least_map, static_cast<double>(tokens) * 10.0)});
    };
    return QSizeF(side(steps.keyTiles(), steps.keys()) + 12.0 * line + 4 * narrow_column,
                  side(steps.queryTiles(), steps.queries()) + 5.0 * line);
}

TileWalkLayout TileWalkDrawing::layout(const QRectF& area, const QFont& font) const {
    const QFont small = labelFont(font);
    const QFontMetricsF metrics(small);
    const double line = metrics.height();
    const auto L = static_cast<double>(steps.queries()), S = static_cast<double>(steps.keys());
    const double row_labels = std::min(longestLabel(map.matrix.axes().rows, small), area.width() * 0.16);
    const double query_width = query ? stripSide(query->matrix.view().columns, area.width() * 0.09) + walk_gap : 0.0;
    const double key_height = key ? stripSide(key->matrix.view().rows, area.height() * 0.14) + walk_gap : 0.0;
    const double legend = line + walk_gap;

    // Heights first, with column labels of one line; they determine whether numbers fit, and so the width of their
    // columns.
    double band = line;
    const auto height_of = [&] {
        return std::min((area.height() - legend - band - walk_gap - key_height) / L, walk_largest_cell);
    };
    double cell_height = height_of();
    const bool numbers = cell_height >= metrics.height() - 1.0;
    const double number = metrics.horizontalAdvance(QStringLiteral("−0.00")) + 8.0;
    const double rescale_caption = metrics.horizontalAdvance(tr("rescale")) + 4.0;
    const double column = numbers ? number : narrow_column;
    const double rescale = numbers ? std::max(number, rescale_caption) : narrow_column;
    const auto features = static_cast<double>(steps.features());
    const double output =
        features == 0.0 ? 0.0 : std::clamp(features * (numbers ? number : 8.0), 2.0 * number, area.width() * 0.24);
    const double beside =
        edge + row_labels + walk_gap + query_width + walk_gap * 2 + column * 2 + rescale + walk_gap * 3 + output;
    double cell_width = std::min({(area.width() - beside) / S, walk_largest_cell, cell_height * 2.2});
    if (!columnLabelsFitFlat(map.matrix.axes().columns, small, cell_width)) {
        band = std::min(turnedHeight(small, longestLabel(map.matrix.axes().columns, small)), area.height() * 0.2);
        cell_height = height_of();
    }
    cell_height = whole(std::min(cell_height, std::max(cell_width * 2.2, line)));
    cell_width = whole(std::max(cell_width, 0.01));

    TileWalkLayout at;
    const QSizeF body(cell_width * S, cell_height * L);
    const double width = beside + body.width();
    const double height = band + walk_gap + key_height + body.height() + legend;
    const double left = std::floor(area.left() + std::max(0.0, (area.width() - width) / 2));
    const double top = std::floor(area.top() + std::max(0.0, (area.height() - height) / 2));
    const double y = std::floor(top + band + walk_gap + key_height);
    const double query_left = std::floor(left + row_labels + walk_gap);
    const QRectF map_rect(QPointF(std::floor(query_left + query_width), y), body);
    at.labels.area = area;
    at.labels.body = map_rect;
    at.labels.row_labels = QRectF(left, y, row_labels, body.height());
    at.labels.column_labels = QRectF(map_rect.left(), top, body.width(), band);
    at.query = QRectF(query_left, y, std::max(0.0, query_width - walk_gap), body.height());
    at.key = QRectF(map_rect.left(), std::floor(top + band + walk_gap / 2), body.width(),
                    std::max(0.0, key_height - walk_gap));
    const auto place = [&](double from, double size) { return QRectF(std::floor(from), y, size, body.height()); };
    at.max = place(map_rect.right() + 2 * walk_gap, column);
    at.sum = place(at.max.right() + walk_gap / 2, column);
    at.rescale = place(at.sum.right() + walk_gap / 2, rescale);
    at.output = place(at.rescale.right() + 2 * walk_gap, output);
    at.legend = QRectF(left, map_rect.bottom() + walk_gap, width, line);
    return at;
}

HeatmapFrame TileWalkDrawing::mapFrame(const TileWalkLayout& at) const {
    return wholeFrame(at.labels.body, map.matrix.axes());
}

QRectF TileWalkDrawing::tileRect(const TileWalkLayout& at, TileIndex tile) const {
    const TokenSpan span = steps.querySpan(tile.query);
    return tokenColumns(tokenRows(at.labels.body, span.first, span.count(), steps.queries()), steps.keySpan(tile.key),
                        steps.keys());
}

std::optional<Cell> TileWalkDrawing::cellAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    return mapFrame(layout(area, font)).cellAt(position);
}

QString TileWalkDrawing::outputCaption() const {
    return divided ? tr("output, divided by ℓ") : tr("output, not yet divided by ℓ");
}

double TileWalkDrawing::outputAt(std::int64_t row, std::int64_t feature) const {
    const double value = steps.output(row, step)[static_cast<std::size_t>(feature)];
    const double sum = steps.rowSum(row, step);
    // A row that has read nothing has an output of zeros, as in the result.
    return divided && sum != 0.0 ? value / sum : value;
}

void TileWalkDrawing::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    const TileWalkLayout at = layout(area, style.font);
    const Pen pen{painter, style, at};
    const QFont small = labelFont(style.font);
    painter.save();
    paintStrips(pen);
    pen.cells(at.labels.body, map.matrix, map.scale);
    paintTiles(pen);
    paintMapNumbers(pen);
    paintRows(pen);
    paintLabels(painter, at.labels, placeLabels(at.labels, mapFrame(at), map.matrix.axes(), small, mark),
                map.matrix.axes(), small, style.look);
    paintCaptions(pen);
    paintLegend(pen);
    painter.restore();
}

void TileWalkDrawing::paintStrips(const Pen& pen) const {
    const TileIndex now = steps.tile(step);
    const TokenSpan span = steps.querySpan(now.query);
    if (query) {
        pen.cells(pen.at.query, query->matrix, query->scale);
        paintReadingOutline(pen.painter, tokenRows(pen.at.query, span.first, span.count(), steps.queries()),
                            pen.style.look);
    }
    if (key) {
        pen.cells(pen.at.key, key->matrix, key->scale);
        paintReadingOutline(pen.painter, tokenColumns(pen.at.key, steps.keySpan(now.key), steps.keys()),
                            pen.style.look);
    }
}

void TileWalkDrawing::paintTiles(const Pen& pen) const {
    const QRectF shown = pen.painter.hasClipping() ? pen.painter.clipBoundingRect() : pen.at.labels.body;
    for (std::int64_t i = 0; i < steps.queryTiles(); ++i)
        for (std::int64_t j = 0; j < steps.keyTiles(); ++j) {
            const QRectF rect = tileRect(pen.at, {i, j});
            const TileState state = steps.state({i, j}, step);
            if (state != TileState::Reading && rect.intersects(shown))
                paintTileMark(pen.painter, rect, state, pen.style.look);
        }
    // Above the edges of its neighbours.
    paintTileMark(pen.painter, tileRect(pen.at, steps.tile(step)), TileState::Reading, pen.style.look);
}

/// Above the veils, in black or white, whichever is legible on what a veil leaves of a colour.
void TileWalkDrawing::paintMapNumbers(const Pen& pen) const {
    const HeatmapFrame frame = clipped(pen.painter, mapFrame(pen.at));
    if (frame.body.isEmpty())
        return;
    const NumberAt numbers = numbersOf(map.matrix);
    const CellNumbers fitting = numbersFitting(frame, numbers, pen.style.font);
    const auto of_tiles = [&](bool veiled) -> NumberAt {
        return [&, veiled](Cell cell) {
            const TileIndex tile{cell.row / steps.querySpan(0).count(), cell.column / steps.keySpan(0).count()};
            const TileState state = steps.state(tile, step);
            return (state == TileState::ToCome || state == TileState::Skipped) == veiled ? numbers(cell) : std::nullopt;
        };
    };
    const Theme& look = pen.style.look;
    ColorScale scale = shownOn(look, map.scale);
    paintNumbers(pen.painter, frame, of_tiles(false), scale, look, fitting);
    const Colormap under_veil = veiled(*scale.map, look);
    scale.map = &under_veil;
    scale.automatic = false;
    paintNumbers(pen.painter, frame, of_tiles(true), scale, look, fitting);
}

void TileWalkDrawing::paintRows(const Pen& pen) const {
    const std::int64_t reached = steps.rowsReached(step);
    const TokenSpan now = steps.querySpan(steps.tile(step).query);
    const auto fill = [&](const QRectF& column, std::int64_t first, std::int64_t count, std::int64_t width,
                          const ColorScale& scale, const auto& value) {
        MatrixData data;
        data.values = Tensor({count, width});
        auto values = data.values.mutable_values();
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t j = 0; j < width; ++j)
                values[static_cast<std::size_t>(i * width + j)] = value(first + i, j);
        pen.cells(tokenRows(column, first, count, steps.queries()), data, scale, true);
        pen.painter.setPen(QPen(pen.style.look.border, 1, Qt::DotLine));
        pen.painter.setBrush(Qt::NoBrush);
        if (const auto rest = steps.queries() - reached; rest > 0)
            pen.painter.drawRect(tokenRows(column, reached, rest, steps.queries()));
    };
    const ColorScale unit{sum_scale.map, 0.0, 1.0, false};
    fill(pen.at.max, 0, reached, 1, map.scale, [&](auto row, auto) { return steps.rowMax(row, step); });
    fill(pen.at.sum, 0, reached, 1, sum_scale, [&](auto row, auto) { return steps.rowSum(row, step); });
    fill(pen.at.rescale, now.first, now.count(), 1, unit, [&](auto row, auto) { return steps.rescale(row, step); });
    if (steps.features() > 0)
        fill(pen.at.output, 0, reached, steps.features(), output_scale,
             [&](auto row, auto feature) { return outputAt(row, feature); });
    const QRectF all(pen.at.max.left(), pen.at.max.top(),
                     (steps.features() > 0 ? pen.at.output : pen.at.rescale).right() - pen.at.max.left(),
                     pen.at.max.height());
    paintReadingOutline(pen.painter, tokenRows(all, now.first, now.count(), steps.queries()).adjusted(-3, 0, 3, 0),
                        pen.style.look);
}

void TileWalkDrawing::paintCaptions(const Pen& pen) const {
    const QFont small = labelFont(pen.style.font);
    const QFontMetricsF metrics(small);
    const double line = metrics.height();
    pen.painter.setFont(small);
    pen.painter.setPen(pen.style.look.muted);
    const auto above = [&](const QRectF& column, const QString& text, double wider) {
        const QRectF box(column.left() - wider, column.top() - 3 * line - 4, column.width() + 2 * wider, 3 * line);
        pen.painter.drawText(box, Qt::AlignHCenter | Qt::AlignBottom | Qt::TextWordWrap, text);
    };
    if (query)
        above(pen.at.query, QStringLiteral("Q"), 10);
    if (key)
        pen.painter.drawText(QRectF(pen.at.key.left() - 60, pen.at.key.top(), 54, pen.at.key.height()),
                             Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("Kᵀ"));
    above(pen.at.max, QStringLiteral("m"), 4);
    above(pen.at.sum, QStringLiteral("ℓ"), 4);
    const bool narrow = metrics.horizontalAdvance(tr("rescale")) > pen.at.rescale.width() + 4;
    above(pen.at.rescale, narrow ? QStringLiteral("×") : tr("rescale"), 2);
    if (steps.features() > 0)
        above(pen.at.output, outputCaption(), 6);
}

void TileWalkDrawing::paintLegend(const Pen& pen) const {
    std::vector<LegendEntry> entries;
    for (const auto state : {TileState::Done, TileState::Reading, TileState::ToCome, TileState::Skipped}) {
        if (state == TileState::Skipped && steps.skippedCount() == 0)
            continue;
        entries.push_back(tileEntry(state, TileWords::ofState(state), pen.style.look));
    }
    const DrawingStyle style{pen.style.look, labelFont(pen.style.font), pen.style.vectors};
    const double width = legendWidth(entries, style.font);
    const QRectF& room = pen.at.legend;
    const double left = std::clamp(pen.at.labels.body.center().x() - width / 2, room.left(),
                                   std::max(room.left(), room.right() - width));
    ui::paintLegend(pen.painter, QRectF(left, room.top(), width, room.height()), entries, style);
}

QRectF TileWalkDrawing::cellPlace(int row, int column, const QRectF& area, const QFont& font) const {
    const TileWalkLayout at = layout(area, font);
    const auto part = column - steps.keys();
    if (part < 0)
        return mapFrame(at).cellRect({row, column});
    const QRectF places[] = {at.max, at.sum, at.rescale, at.output};
    const QRectF whole = tokenRows(places[std::min<std::int64_t>(part, Output)], row, 1, steps.queries());
    return part < Output ? whole : tokenColumns(whole, TokenSpan{part - Output, part - Output}, steps.features());
}

} // namespace attnlab::ui
