#include "ui/pages/exhibits/tile_marks.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace attnlab::ui {
namespace {

/// Smaller tiles have no room for a cross, for dots, or for an edge that does not hide the cells.
constexpr double least_crossed = 5.0, least_dotted = 7.0, least_edged = 12.0;
constexpr double marks_gap = 5.0;
constexpr double between_marks = 16.0;

double sampleWidth(const QFont& font) { return QFontMetricsF(font).height() * 1.3; }

QColor veil(const Theme& look) {
    QColor color = look.card;
    color.setAlphaF(look.high_contrast ? 1.0F : 0.78F); // no number is faint in high contrast
    return color;
}

} // namespace

Colormap veiled(const Colormap& map, const Theme& look) {
    const QColor over = veil(look);
    Colormap result = map;
    for (QRgb& color : result.colors) {
        const auto mixed = [&](int below, int above) {
            return qRound(below + (above - below) * static_cast<double>(over.alphaF()));
        };
        color =
            qRgb(mixed(qRed(color), over.red()), mixed(qGreen(color), over.green()), mixed(qBlue(color), over.blue()));
    }
    return result;
}

void paintReadingOutline(QPainter& painter, const QRectF& rect, const Theme& look) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(look.card, 5, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(rect);
    painter.setPen(QPen(look.pin, 3, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(rect);
    painter.restore();
}

void paintTileMark(QPainter& painter, const QRectF& tile, TileState state, const Theme& look) {
    if (state == TileState::Reading) {
        paintReadingOutline(painter, tile, look);
        return;
    }
    const double side = std::min(tile.width(), tile.height());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (state != TileState::Done)
        painter.fillRect(tile, veil(look));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(look.muted, 1, state == TileState::ToCome ? Qt::DotLine : Qt::SolidLine));
    if (side >= (state == TileState::ToCome ? least_dotted : least_edged))
        painter.drawRect(tile);
    if (state == TileState::Skipped && side >= least_crossed) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.drawLine(tile.topLeft(), tile.bottomRight());
        painter.drawLine(tile.bottomLeft(), tile.topRight());
    }
    painter.restore();
}

LegendEntry tileEntry(TileState state, const QString& text, const Theme& look) {
    const auto sample = [state, &look](QPainter& painter, const QRectF& rect) {
        const QRectF tile = rect.adjusted(1, 1, -1, -1);
        painter.fillRect(tile, look.accent_soft);
        paintTileMark(painter, tile, state, look);
        if (state == TileState::Reading)
            return;
        // Too small for the edge of a real tile.
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(look.muted, 1, state == TileState::ToCome ? Qt::DotLine : Qt::SolidLine));
        painter.drawRect(tile);
    };
    return {sample, text};
}

double legendWidth(const std::vector<LegendEntry>& entries, const QFont& font) {
    double width = -between_marks;
    for (const auto& entry : entries)
        width += sampleWidth(font) + marks_gap + QFontMetricsF(font).horizontalAdvance(entry.text) + between_marks;
    return std::max(0.0, width);
}

void paintLegend(QPainter& painter, const QRectF& area, const std::vector<LegendEntry>& entries,
                 const DrawingStyle& style) {
    const QFontMetricsF metrics(style.font);
    const double sample = sampleWidth(style.font), height = metrics.ascent() * 0.9;
    double x = area.left();
    for (const auto& entry : entries) {
        entry.sample(painter, QRectF(x, area.center().y() - height / 2, sample, height));
        x += sample + marks_gap;
        painter.setFont(style.font);
        painter.setPen(style.look.muted);
        const double width = metrics.horizontalAdvance(entry.text) + 1;
        painter.drawText(QRectF(x, area.top(), width, area.height()), Qt::AlignLeft | Qt::AlignVCenter, entry.text);
        x += width + between_marks;
    }
}

} // namespace attnlab::ui
