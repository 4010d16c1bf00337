#include "ui/learn/lab/part.h"

#include "ui/drawing/color_bar.h"
#include "ui/drawing/heatmap_labels.h"
#include "ui/drawing/heatmap_painter.h"
#include "ui/widgets/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr double part_column_gap = 12.0; ///< between columns
constexpr double between_parts = 6.0;    ///< a name and its number
constexpr double widest_cell = 2.3;      ///< of a small matrix, in lines: room for its number
constexpr double most_lines = 15.0;      ///< of a small matrix

QString textOfCell(const MatrixData& matrix, const QString& key, Cell cell) {
    return QStringLiteral("%1 → %2: %3")
        .arg(matrix.rowLabel(cell.row), key, exactText(matrix.view()(cell.row, cell.column)));
}

HeatmapLayout layoutOf(const QRectF& area, const MatrixData& matrix, const ColorScale& scale, const QFont& font,
                       bool color_bar) {
    // The last turned label extends beyond the cells.
    const double lean = color_bar ? 0.0 : QFontMetricsF(labelFont(font)).height();
    return layoutHeatmap(area.adjusted(0, 0, -lean, 0), matrix.axes(), scale, {font, color_bar, false, 0.0, true});
}

} // namespace

double leastMatrixHeight(const MatrixData& matrix, const QFont& font) {
    constexpr double most = 9.0, margins = 1.6; // lines
    const QFont small = labelFont(font);
    const double line = QFontMetricsF(small).height();
    const double cells = std::min(static_cast<double>(matrix.view().rows), most) * 1.15 * line;
    const double above = columnLabelsFitFlat(matrix.axes().columns, small, line)
                             ? line
                             : turnedHeight(small, longestLabel(matrix.axes().columns, small));
    return cells + above + margins * line;
}

int Part::rowAt(const QPointF&, const QRectF&, const QFont&) const { return -1; }

void paintHeading(QPainter& painter, const QRectF& area, const QString& text, const DrawingStyle& style) {
    painter.setFont(labelFont(style.font));
    painter.setPen(style.look.muted);
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, area.width()));
}

void paintHeatmap(QPainter& painter, const QRectF& area, const MatrixData& matrix, const ColorScale& scale,
                  const DrawingStyle& style, bool color_bar, const HeatmapMarks& marks) {
    const HeatmapLayout layout = layoutOf(area, matrix, scale, style.font, color_bar);
    if (layout.body.isEmpty())
        return;
    const HeatmapFrame frame = wholeFrame(layout.body, matrix.axes());
    const HeatmapContent content{matrix, scale, style.look};
    if (style.vectors)
        paintCellsForFiles(painter, frame, content);
    else
        paintCells(painter, frame, content);
    paintNumbers(painter, frame, content, style.font);
    const QFont small = labelFont(style.font);
    paintLabels(painter, layout, placeLabels(layout, frame, matrix.axes(), small, std::nullopt), matrix.axes(), small,
                style.look);
    paintMarks(painter, frame, marks, style.look);
    if (color_bar)
        paintColorBar(painter, layout.color_bar, scale, small, style.look);
}

QString NumbersPart::value(const QString& id) const {
    const auto found = std::ranges::find(entries, id, &Entry::id);
    return found == entries.end() ? QString() : found->value;
}

QString NumbersPart::words() const {
    QStringList texts;
    for (const auto& entry : entries)
        texts << QStringLiteral("%1: %2").arg(entry.name, entry.value);
    return texts.join(QLatin1Char('\n'));
}

double NumbersPart::widthOf(const Entry& entry, const QFont& font) {
    const QFontMetricsF metrics(labelFont(font));
    return metrics.horizontalAdvance(entry.name) + between_parts + metrics.horizontalAdvance(entry.value);
}

int NumbersPart::columnsIn(double width, const QFont& font) const {
    double widest = 0.0;
    for (const auto& entry : entries)
        widest = std::max(widest, widthOf(entry, font));
    return entries.size() > 1 && 2 * widest + part_column_gap <= width ? 2 : 1;
}

/// In a single column, a number that does not fit beside its name is placed below it.
double NumbersPart::heightOf(std::size_t index, int columns, double width, const QFont& font) const {
    constexpr double apart = 0.25;
    const bool below = columns == 1 && widthOf(entries[index], font) > width;
    return ((below ? 2.0 : 1.0) + apart) * QFontMetricsF(labelFont(font)).height();
}

QSizeF NumbersPart::smallest(const QFont& font, double width) const {
    const double line = QFontMetricsF(labelFont(font)).height();
    if (entries.empty())
        return QSizeF(width, 0.2 * line);
    return QSizeF(width, entryRect(entries.size() - 1, QRectF(0, 0, width, 0), font).bottom() + 0.2 * line);
}

QRectF NumbersPart::entryRect(std::size_t index, const QRectF& area, const QFont& font) const {
    const int columns = columnsIn(area.width(), font);
    const double width = (area.width() - (columns - 1) * part_column_gap) / columns;
    const auto column = index % static_cast<std::size_t>(columns);
    double above = 0.0;
    for (std::size_t k = column; k < index; k += static_cast<std::size_t>(columns))
        above += heightOf(k, columns, width, font);
    return QRectF(area.left() + static_cast<double>(column) * (width + part_column_gap), area.top() + above, width,
                  heightOf(index, columns, width, font));
}

void NumbersPart::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    painter.save();
    painter.setFont(labelFont(style.font));
    const QFontMetricsF metrics(painter.font());
    for (std::size_t k = 0; k < entries.size(); ++k) {
        const QRectF place = entryRect(k, area, style.font);
        const bool below = place.height() > 2.0 * metrics.height();
        const QRectF lines(place.left(), place.top(), place.width(), (below ? 2.0 : 1.0) * metrics.height());
        painter.setPen(style.look.muted);
        painter.drawText(lines, Qt::AlignLeft | Qt::AlignTop,
                         metrics.elidedText(entries[k].name, Qt::ElideRight, place.width()));
        painter.setPen(style.look.text);
        painter.drawText(lines, Qt::AlignRight | Qt::AlignBottom, entries[k].value);
    }
    painter.restore();
}

QString NumbersPart::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    for (std::size_t k = 0; k < entries.size(); ++k)
        if (entryRect(k, area, font).contains(position))
            return QStringLiteral("%1: %2").arg(entries[k].name, entries[k].value) +
                   (entries[k].help.isEmpty() ? QString() : QLatin1Char('\n') + entries[k].help);
    return {};
}

QString MatrixPart::words() const {
    constexpr std::int64_t read_aloud = 64;
    const auto view = matrix.view();
    if (view.rows * view.columns > read_aloud)
        return tr("%1 rows, %2 columns").arg(view.rows).arg(view.columns);
    QStringList rows;
    for (int i = 0; i < static_cast<int>(view.rows); ++i) {
        QStringList cells;
        for (int j = 0; j < static_cast<int>(view.columns); ++j)
            cells << numberText(view(i, j));
        rows << QStringLiteral("%1: %2").arg(matrix.rowLabel(i), cells.join(QLatin1Char(' ')));
    }
    return rows.join(QLatin1Char('\n'));
}

QRectF MatrixPart::matrixRect(const QRectF& area, const QFont& font) const {
    return area.adjusted(0, 1.2 * QFontMetricsF(labelFont(font)).height(), 0, 0);
}

QSizeF MatrixPart::smallest(const QFont& font, double width) const {
    const auto view = matrix.view();
    const double line = QFontMetricsF(labelFont(font)).height();
    const double rows = static_cast<double>(view.rows),
                 columns = static_cast<double>(std::max<std::int64_t>(1, view.columns));
    const double sides = 2.5 * line + longestLabel(matrix.axes().rows, labelFont(font));
    // Cells are only as large as numbers need; those of a wide matrix are lower.
    const double cell = std::min(widest_cell * line, std::max(4.0, (width - sides) / columns));
    const double above = columnLabelsFitFlat(matrix.axes().columns, labelFont(font), cell)
                             ? line
                             : turnedHeight(labelFont(font), longestLabel(matrix.axes().columns, labelFont(font)));
    return QSizeF(width, 1.2 * line + std::min(rows * cell, most_lines * line) + above + 1.2 * line);
}

void MatrixPart::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    painter.save();
    const QRectF body = matrixRect(area, style.font);
    paintHeading(painter, QRectF(area.topLeft(), QPointF(area.right(), body.top())), heading, style);
    paintHeatmap(painter, body, matrix, scale, style);
    painter.restore();
}

QString MatrixPart::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    const auto frame = wholeFrame(layoutOf(matrixRect(area, font), matrix, scale, font, false).body, matrix.axes());
    const auto cell = frame.cellAt(position);
    if (!cell)
        return {};
    const QString label = matrix.columnLabel(cell->column);
    const QString key = keys.value(cell->column, label.trimmed().isEmpty() ? QString::number(cell->column) : label);
    return textOfCell(matrix, key, *cell);
}

} // namespace attnlab::ui
