#include "ui/learn/cards/card_part.h"

#include "ui/drawing/color_bar.h"
#include "ui/drawing/heatmap_layout.h"
#include "ui/drawing/heatmap_painter.h"
#include "ui/drawing/line_chart_drawing.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <QPainter>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr double part_column_gap = 12.0; ///< between columns
constexpr double between_parts = 6.0;    ///< a name and its number
constexpr double widest_cell = 2.3;      ///< of a small matrix, in lines: room for its number
constexpr double most_lines = 15.0;      ///< of a small matrix

QString textOfCell(const MatrixData& matrix, const QString& key, Cell cell) {
    return QStringLiteral("%1 → %2: %3")
        .arg(matrix.rowLabel(cell.row), key,
             matrix.isHidden(cell.row, cell.column) ? hiddenText() : exactText(matrix.view()(cell.row, cell.column)));
}

/// The height of the column labels above cells of a width.
double aboveCells(const MatrixData& matrix, const QFont& small, double cell_width) {
    const auto& columns = matrix.axes().columns;
    return columnLabelsFitFlat(columns, small, cell_width) ? QFontMetricsF(small).height()
                                                           : turnedHeight(small, longestLabel(columns, small));
}

HeatmapLayout layoutOf(const QRectF& area, const MatrixData& matrix, const ColorScale& scale, const QFont& font,
                       bool color_bar) {
    // The last turned label extends beyond the cells.
    const double lean = color_bar ? 0.0 : QFontMetricsF(labelFont(font)).height();
    const QRectF room = area.adjusted(0, 0, -lean, 0);
    LayoutWishes wishes{font, color_bar, false, 0.0, true};
    HeatmapLayout leaning = layoutHeatmap(room, matrix.axes(), scale, wishes);
    const auto& columns = matrix.axes().columns;
    const QFont small = labelFont(font);
    const auto cell_of = [&](const HeatmapLayout& layout) {
        return layout.body.width() / static_cast<double>(std::max<std::int64_t>(1, columns.count));
    };
    if (columnLabelsFitFlat(columns, small, cell_of(leaning)))
        return leaning;
    if (leaningLabelsFit(columns, small, cell_of(leaning))) {
        constexpr double least_share = 0.9;
        const double missing = lastLabelReach(columns, small, cell_of(leaning)) - (area.right() - leaning.body.right());
        if (missing > 0.0) {
            const HeatmapLayout narrower =
                layoutHeatmap(room.adjusted(0, 0, -missing, 0), matrix.axes(), scale, wishes);
            if (narrower.body.width() >= least_share * leaning.body.width())
                leaning = narrower;
        }
        return leaning;
    }
    // Every column has its label if these are vertical.
    wishes.upright = true;
    const HeatmapLayout upright = layoutHeatmap(room, matrix.axes(), scale, wishes);
    return cell_of(upright) >= QFontMetricsF(small).height() ? upright : leaning;
}

} // namespace

double leastMatrixHeight(const MatrixData& matrix, const QFont& font) {
    constexpr double most = 9.0, margins = 1.6; // lines
    const QFont small = labelFont(font);
    const double line = QFontMetricsF(small).height();
    const double cells = std::min(static_cast<double>(matrix.view().rows), most) * 1.15 * line;
    return cells + aboveCells(matrix, small, line) + margins * line;
}

double leastMatrixHeight(const MatrixData& matrix, const QFont& font, double cell) {
    constexpr double margins = 1.6, apart = 1.4; // lines
    const QFont small = labelFont(font);
    return static_cast<double>(matrix.view().rows) * cell + aboveCells(matrix, small, cell) +
           (margins + apart) * QFontMetricsF(small).height();
}

bool isWhollyHidden(const MatrixData& matrix) {
    return matrix.hidden.size() > 0 &&
           std::ranges::all_of(matrix.hidden.values(), [](double cell) { return cell != 0.0; });
}

double matrixSidesWidth(const MatrixData& matrix, const ColorScale& scale, const QFont& font, bool color_bar,
                        double height) {
    constexpr double ample = 4096.0;                                                     // row labels are not cut
    const double lean = color_bar ? 0.0 : 1.5 * QFontMetricsF(labelFont(font)).height(); // as the view of a matrix
    return layoutOf(QRectF(0, 0, ample, height), matrix, scale, font, color_bar).sides + lean;
}

QSizeF cellsSizeIn(const QSizeF& room, const MatrixData& matrix, const ColorScale& scale, const QFont& font,
                   bool color_bar) {
    return layoutOf(QRectF(QPointF(), room), matrix, scale, font, color_bar).body.size();
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
    painter.setFont(style.font);
    paintHidden(painter, frame, matrix, style.look);
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
            cells << (matrix.isHidden(i, j) ? QStringLiteral("?") : numberText(view(i, j)));
        rows << QStringLiteral("%1: %2").arg(matrix.rowLabel(i), cells.join(QLatin1Char(' ')));
    }
    return rows.join(QLatin1Char('\n'));
}

QRectF MatrixPart::matrixRect(const QRectF& area, const QFont& font) const {
    return area.adjusted(0, 1.2 * QFontMetricsF(labelFont(font)).height(), 0, 0);
}

QSizeF MatrixPart::smallest(const QFont& font, double width) const {
    return QSizeF(width, heightWith(widest_cell, font, width));
}

double MatrixPart::leastHeight(const QFont& font, double width) const {
    constexpr double short_number = 1.7; ///< the cells still have room for their numbers
    return heightWith(short_number, font, width);
}

double MatrixPart::heightWith(double widest_cell_lines, const QFont& font, double width) const {
    const auto view = matrix.view();
    const double line = QFontMetricsF(labelFont(font)).height();
    const double rows = static_cast<double>(view.rows),
                 columns = static_cast<double>(std::max<std::int64_t>(1, view.columns));
    const double sides = 2.5 * line + longestLabel(matrix.axes().rows, labelFont(font));
    // Cells are only as large as numbers need; those of a wide matrix are lower.
    const double cell = std::min(widest_cell_lines * line, std::max(4.0, (width - sides) / columns));
    const double above = matrix.columns_unnamed ? 0.0
                         : columnLabelsFitFlat(matrix.axes().columns, labelFont(font), cell)
                             ? line
                             : turnedHeight(labelFont(font), longestLabel(matrix.axes().columns, labelFont(font)));
    return 1.2 * line + std::min(rows * cell, most_lines * line) + above + 1.2 * line;
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

namespace {

constexpr double lines_high = 3.6;  ///< of the plot
constexpr double least_lines = 2.2; ///< of it, where room is scarce
constexpr double axis_lines = 1.1;

/// The share of a standard normal below x.
double normalBelow(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

double expected(const lab::Histogram& histogram, double variance, double low, double high) {
    const double deviation = std::sqrt(variance);
    return static_cast<double>(histogram.finite) * (normalBelow(high / deviation) - normalBelow(low / deviation));
}

} // namespace

double HistogramPart::expectedIn(std::size_t bin) const {
    if (!theory || *theory <= 0.0)
        return 0.0;
    const double low = histogram.low + static_cast<double>(bin) * histogram.bin_width();
    return expected(histogram, *theory, low, low + histogram.bin_width());
}

QString HistogramPart::words() const {
    if (histogram.finite == 0)
        return tr("no finite scores");
    const auto most = std::ranges::max_element(histogram.counts);
    const double low = histogram.low + static_cast<double>(most - histogram.counts.begin()) * histogram.bin_width();
    const QString words = tr("%1 scores between %2 and %3, most of them (%4) between %5 and %6")
                              .arg(histogram.finite - histogram.beyond)
                              .arg(numberText(histogram.low, 3), numberText(histogram.high, 3))
                              .arg(*most)
                              .arg(numberText(low, 3), numberText(low + histogram.bin_width(), 3));
    return histogram.beyond > 0 ? words + QStringLiteral("; ") + beyondWords() : words;
}

QString HistogramPart::beyondWords() const {
    return tr("%n beyond", "scores outside the axis", static_cast<int>(histogram.beyond));
}

QSizeF HistogramPart::smallest(const QFont& font, double width) const {
    const double line = QFontMetricsF(labelFont(font)).height();
    return QSizeF(std::max(width, 6 * line), (lines_high + axis_lines) * line);
}

double HistogramPart::leastHeight(const QFont& font, double) const {
    return (least_lines + axis_lines) * QFontMetricsF(labelFont(font)).height();
}

void HistogramPart::setAxes(ChartPlot& chart) const {
    ChartAxis across, up;
    across.scale.low = histogram.low;
    across.scale.high = histogram.high;
    across.ticks = {{histogram.low, numberText(histogram.low, 3)},
                    {0.0, QStringLiteral("0")},
                    {histogram.high, numberText(histogram.high, 3)}};
    across.has_line = true;
    up.scale.high = 1.0;
    for (std::size_t k = 0; k < histogram.counts.size(); ++k)
        up.scale.high = std::max({up.scale.high, static_cast<double>(histogram.counts[k]), expectedIn(k)});
    // The plot leaves out a label that is cut by a fraction of a pixel.
    const auto half = [metrics = QFontMetricsF(chart.font())](const Tick& tick) {
        return std::ceil(metrics.horizontalAdvance(tick.text) / 2.0) + 3.0;
    };
    const QMarginsF margins(half(across.ticks.front()), 2.0, half(across.ticks.back()), 0.0);
    chart.setAxes(across, up, margins);
    if (histogram.beyond == 0)
        return;
    // What is under the words about scores beyond the axis ends below them.
    constexpr double gap = 2.0, least_share = 0.3; // pixels; of the plot
    const QRectF words = beyondRect(chart).adjusted(-gap, 0, 0, gap);
    double highest = 0.0;
    for (std::size_t k = 0; k < histogram.counts.size(); ++k) {
        const double end = histogram.low + static_cast<double>(k + 1) * histogram.bin_width();
        if (chart.positionOf({end, 0.0}).x() >= words.left())
            highest = std::max({highest, static_cast<double>(histogram.counts[k]), expectedIn(k)});
    }
    const double share = std::max(least_share, 1.0 - words.height() / std::max(1.0, chart.body().height()));
    if (highest <= share * up.scale.high)
        return;
    up.scale.high = highest / share;
    chart.setAxes(across, up, margins);
}

QRectF HistogramPart::beyondRect(const ChartPlot& chart) const {
    const QFontMetricsF metrics(chart.font());
    const QSizeF size(metrics.horizontalAdvance(beyondWords()), metrics.height());
    return {chart.body().topRight() - QPointF(size.width(), 0.0), size};
}

QRectF HistogramPart::beyondRect(const QRectF& area, const QFont& font) const {
    ChartPlot chart(area, {theme(), font});
    setAxes(chart);
    return beyondRect(chart);
}

QRectF HistogramPart::barRect(std::size_t bin, const QRectF& area, const QFont& font) const {
    ChartPlot chart(area, {theme(), font});
    setAxes(chart);
    const double left = histogram.low + static_cast<double>(bin) * histogram.bin_width();
    const double count = std::max(static_cast<double>(histogram.counts.at(bin)), expectedIn(bin));
    return {chart.positionOf({left, count}), chart.positionOf({left + histogram.bin_width(), 0.0})};
}

void HistogramPart::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    const auto bins = histogram.counts.size();
    if (bins == 0)
        return;
    ChartPlot::paint(painter, area, style, [&](ChartPlot& chart) {
        setAxes(chart);
        const double width = histogram.bin_width();
        std::vector<QPointF> counts, curve;
        for (std::size_t k = 0; k < bins; ++k)
            counts.emplace_back(histogram.low + (static_cast<double>(k) + 0.5) * width,
                                static_cast<double>(histogram.counts[k]));
        QColor bar = seriesColor(color, style.look);
        bar.setAlphaF(0.75F);
        chart.addBars(counts, 0.9 * width, bar);
        if (histogram.beyond > 0)
            chart.addText(chart.body().topRight(), Qt::AlignRight | Qt::AlignTop, beyondWords(), style.look.muted);
        if (!theory || *theory <= 0.0)
            return;
        for (std::size_t k = 0; k <= 4 * bins; ++k) {
            const double middle = histogram.low + static_cast<double>(k) / 4.0 * width;
            curve.emplace_back(middle, expected(histogram, *theory, middle - width / 2.0, middle + width / 2.0));
        }
        chart.addLine(curve, QPen(style.look.text, 1.3 * lineScale(style.font)));
    });
}

QString HistogramPart::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    const auto bins = static_cast<int>(histogram.counts.size());
    if (bins == 0)
        return {};
    ChartPlot chart(area, {theme(), font});
    setAxes(chart);
    if (!chart.body().contains(position))
        return {};
    const double along = (chart.pointAt(position).x() - histogram.low) / histogram.bin_width();
    const int bin = std::clamp(static_cast<int>(along), 0, bins - 1);
    const auto index = static_cast<std::size_t>(bin);
    const double low = histogram.low + bin * histogram.bin_width();
    const QString range = tr("%1 to %2").arg(numberText(low, 3), numberText(low + histogram.bin_width(), 3));
    const QString count = tr("%n scores", nullptr, static_cast<int>(histogram.counts[index]));
    if (!theory)
        return tr("%1: %2", "range of scores, how many").arg(range, count);
    return tr("%1: %2; expected %3", "range of scores, how many, how many expected")
        .arg(range, count, numberText(expectedIn(index), 3));
}

namespace {

constexpr double footer_gap = 7.0;

QRectF wrapped(const QString& text, const QFont& font, double width) {
    return QFontMetricsF(labelFont(font))
        .boundingRect(QRectF(0, 0, width, 1e6), Qt::AlignLeft | Qt::TextWordWrap, text);
}

} // namespace

void RowsPart::setRows(std::vector<BarsDrawing::Row> rows) {
    constexpr std::size_t most_rows = 16;
    const int more = static_cast<int>(rows.size()) - static_cast<int>(most_rows);
    if (more > 0)
        rows.resize(most_rows);
    bars.rows = std::move(rows);
    bars.rest = more > 0 ? tr("%n more rows", nullptr, more) : QString();
}

QString RowsPart::words() const {
    QStringList texts;
    for (const auto& row : bars.rows) {
        QStringList numbers;
        for (qsizetype n = 0; n < std::min(bars.number_headings.size(), row.numbers.size()); ++n)
            numbers << QStringLiteral("%1 %2").arg(bars.number_headings[n], row.numbers[n]);
        texts << QStringLiteral("%1: %2").arg(row.name, numbers.join(QStringLiteral(", ")));
    }
    if (!footer.isEmpty())
        texts << footer;
    return texts.join(QLatin1Char('\n'));
}

QSizeF RowsPart::smallest(const QFont& font, double width) const {
    const double words = footer.isEmpty() ? 0.0 : wrapped(footer, font, width).height() + footer_gap;
    return QSizeF(width, bars.smallest(labelFont(font), width).height() + words + 2);
}

QRectF RowsPart::barRect(int row, const QRectF& area, const QFont& font) const {
    return bars.barRect(row, area, labelFont(font));
}

int RowsPart::rowAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    return bars.rowAt(position, area, labelFont(font));
}

QString RowsPart::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    return bars.textAt(position, area, labelFont(font));
}

void RowsPart::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    const QFont font = labelFont(style.font);
    bars.paint(painter, area, {style.look, font, style.vectors});
    const double above = bars.smallest(font, area.width()).height() + footer_gap / 2;
    painter.save();
    painter.setFont(font);
    painter.setPen(footer_is_wrong ? style.look.error_text : style.look.muted);
    painter.drawText(area.adjusted(0, above, 0, 0), Qt::AlignLeft | Qt::TextWordWrap, footer);
    painter.restore();
}

PartView::PartView(QWidget* parent) : DrawingCanvas(parent, 0) {
    setFocusPolicy(Qt::NoFocus);
    connect(this, &DrawingCanvas::clicked, this, [this](const QPointF& position) {
        const int row = part_ && part_->isClickable() ? part_->rowAt(position, area(), font()) : -1;
        if (row >= 0)
            emit rowClicked(row);
    });
}

void PartView::setPart(PartPtr part) {
    setDrawing(part.get());
    part_ = std::move(part);
    setAccessibleName(part_ ? part_->title() : QString());
    setAccessibleDescription(part_ ? part_->words() : QString());
    setCursor(part_ && part_->isClickable() ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

} // namespace attnlab::ui
