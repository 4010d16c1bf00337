#include "ui/drawing/heatmap_painter.h"

#include "ui/drawing/matrix_image.h"
#include "ui/drawing/scaled_font.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr double separators_from = 14.0;     ///< size of a cell
constexpr int most_hatched_as_vectors = 128; ///< rows or columns; of more, the hatches are pixels
constexpr int most_pixels_of_cell = 16;

/// The hatch of a cell without a colour.
std::optional<Hatch> hatchOf(const MatrixData& matrix, int row, int column) {
    if (matrix.isBlocked(row, column))
        return Hatch::Blocked;
    return std::isnan(matrix.view()(row, column)) ? std::optional(Hatch::NotANumber) : std::nullopt;
}

/// Every cell as a square of whole pixels, so that viewers that smooth images keep its edges sharp.
QImage enlargedCells(const HeatmapContent& content, const QRect& cells, int factor) {
    const auto view = content.matrix.view();
    const ColorScale scale = shownOn(content.look, content.scale);
    QImage picture(cells.size() * factor, QImage::Format_RGB32);
    for (int y = 0; y < picture.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(picture.scanLine(y));
        const int row = cells.top() + y / factor;
        for (int x = 0; x < picture.width(); ++x) {
            const int column = cells.left() + x / factor;
            if (y % factor > 0)
                line[x] = reinterpret_cast<const QRgb*>(picture.constScanLine(y - 1))[x];
            else if (x % factor > 0)
                line[x] = line[x - 1];
            else if (const auto hatch = hatchOf(content.matrix, row, column))
                line[x] = hatchBack(content.look, *hatch).rgb();
            else
                line[x] = scale.color(view(row, column));
        }
    }
    return picture;
}

QImage enlargedCellsWithHatches(const HeatmapContent& content, const QRect& cells, int factor) {
    QImage picture(cells.size() * factor, QImage::Format_RGB32);
    picture.fill(content.look.card);
    QPainter inner(&picture);
    paintMatrix(inner, QRectF(QPointF(0, 0), QSizeF(picture.size())), content.matrix, content.scale, cells,
                content.look);
    return picture;
}

/// Over cells that have the background of their hatch already, run by run.
void paintHatchesOver(QPainter& painter, const HeatmapFrame& frame, const HeatmapContent& content) {
    const QRect cells = frame.visibleCells();
    for (int row = cells.top(); row <= cells.bottom(); ++row)
        for (int column = cells.left(); column <= cells.right();) {
            const auto hatch = hatchOf(content.matrix, row, column);
            const int first = column;
            do
                ++column;
            while (column <= cells.right() && hatchOf(content.matrix, row, column) == hatch);
            if (hatch)
                paintHatch(painter, frame.rectOf(QRect(first, row, column - first, 1)), content.look, *hatch);
        }
}

void outline(QPainter& painter, const QRectF& rect, const QColor& color, double width) {
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(rect);
}

} // namespace

void paintSeparators(QPainter& painter, const HeatmapFrame& frame, const Theme& look) {
    if (std::min(frame.cellWidth(), frame.cellHeight()) < separators_from)
        return;
    QColor color = look.card;
    color.setAlphaF(0.35F);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(color, 0, Qt::SolidLine, Qt::FlatCap));
    const QRect cells = frame.visibleCells();
    for (int column = cells.left() + 1; column <= cells.right(); ++column) {
        const double x = frame.cellRect({cells.top(), column}).left();
        painter.drawLine(QPointF(x, frame.body.top()), QPointF(x, frame.body.bottom()));
    }
    for (int row = cells.top() + 1; row <= cells.bottom(); ++row) {
        const double y = frame.cellRect({row, cells.left()}).top();
        painter.drawLine(QPointF(frame.body.left(), y), QPointF(frame.body.right(), y));
    }
    painter.restore();
}

void paintCells(QPainter& painter, const HeatmapFrame& frame, const HeatmapContent& content) {
    const QRect cells = frame.visibleCells();
    painter.save();
    painter.setClipRect(frame.body, Qt::IntersectClip);
    paintMatrix(painter, frame.rectOf(cells), content.matrix, content.scale, cells, content.look);
    paintSeparators(painter, frame, content.look);
    painter.restore();
}

void paintCellsForFiles(QPainter& painter, const HeatmapFrame& frame, const HeatmapContent& content) {
    const QRect cells = frame.visibleCells();
    const int longest = std::max(cells.width(), cells.height());
    if (cells.isEmpty())
        return;
    const int factor = std::clamp(2048 / longest, 1, most_pixels_of_cell);
    const bool hatches_are_vectors = longest <= most_hatched_as_vectors;
    painter.save();
    painter.setRenderHint(QPainter::LosslessImageRendering); // PDF would take JPEG
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(frame.rectOf(cells), hatches_are_vectors ? enlargedCells(content, cells, factor)
                                                               : enlargedCellsWithHatches(content, cells, factor));
    painter.restore();
    if (hatches_are_vectors)
        paintHatchesOver(painter, frame, content);
    paintSeparators(painter, frame, content.look);
}

void paintNumbers(QPainter& painter, const HeatmapFrame& frame, const NumberAt& numbers_at, const ColorScale& scale,
                  const Theme& look, const CellNumbers& numbers) {
    if (numbers.digits == 0)
        return;
    const QRect cells = frame.visibleCells();
    const ColorScale shown = shownOn(look, scale);
    painter.save();
    painter.setClipRect(frame.body, Qt::IntersectClip);
    // An exponent makes a number wider than its neighbours.
    constexpr double least_gap = 4.0;
    const QFontMetricsF metrics(numbers.font);
    const QFont narrow = scaledFont(numbers.font, narrow_share);
    for (int row = cells.top(); row <= cells.bottom(); ++row)
        for (int column = cells.left(); column <= cells.right(); ++column) {
            const auto value = numbers_at({row, column});
            const QString text = numbers.text(value);
            if (text.isEmpty())
                continue;
            const bool is_wide =
                text.contains(QLatin1Char('e')) && metrics.horizontalAdvance(text) > frame.cellWidth() - least_gap;
            painter.setFont(is_wide ? narrow : numbers.font);
            painter.setPen(std::isnan(*value) ? look.warning_text : textColorOn(shown.color(*value)));
            painter.drawText(frame.cellRect({row, column}), Qt::AlignCenter | Qt::TextDontClip, text);
        }
    painter.restore();
}

void paintNumbers(QPainter& painter, const HeatmapFrame& frame, const HeatmapContent& content, const QFont& font) {
    const NumberAt numbers_at = numbersOf(content.matrix);
    paintNumbers(painter, frame, numbers_at, content.scale, content.look, numbersFitting(frame, numbers_at, font));
}

void paintMarks(QPainter& painter, const HeatmapFrame& frame, const HeatmapMarks& marks, const Theme& look) {
    painter.save();
    // Includes the outline of a cell at the edge.
    painter.setClipRect(frame.body.adjusted(-2, -2, 2, 2), Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    const auto shows = [&](std::optional<Cell> cell) {
        return cell && frame.visibleCells().contains(cell->column, cell->row);
    };
    if (shows(marks.crosshair)) {
        const QRectF cell = frame.cellRect(*marks.crosshair);
        QColor halo = look.card;
        halo.setAlphaF(0.55F);
        for (const auto& [color, width] : {std::pair(halo, 3.0), std::pair(look.accent, 1.0)}) {
            outline(painter, QRectF(frame.body.left(), cell.top(), frame.body.width(), cell.height()), color, width);
            outline(painter, QRectF(cell.left(), frame.body.top(), cell.width(), frame.body.height()), color, width);
        }
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Cell& cell : marks.highlighted)
        if (shows(cell)) {
            outline(painter, frame.cellRect(cell), look.card, 4);
            outline(painter, frame.cellRect(cell), look.text, 2);
        }
    const auto dot = [&](Cell cell, double least) {
        const QRectF rect = frame.cellRect(cell);
        const QSizeF size = rect.size().expandedTo({least, least});
        return size == rect.size() ? rect : QRectF(rect.center() - QPointF(size.width(), size.height()) / 2, size);
    };
    if (shows(marks.cursor)) {
        const QRectF cell = dot(*marks.cursor, 5.0);
        outline(painter, cell, look.card, 4);
        outline(painter, cell, look.accent, 2);
    }
    if (shows(marks.pinned)) {
        // An outline visible on light and dark cells.
        const QRectF cell = dot(*marks.pinned, 8.0);
        outline(painter, cell, look.card, 4.5);
        outline(painter, cell, look.pin, 2.5);
    }
    painter.restore();
}

} // namespace attnlab::ui
