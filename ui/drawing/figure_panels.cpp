#include "ui/drawing/figure_panels.h"

#include "ui/drawing/color_bar.h"
#include "ui/drawing/heatmap_layout.h"
#include "ui/drawing/heatmap_painter.h"

#include <QCoreApplication>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <compare>
#include <tuple>

namespace attnlab::ui {
namespace {

constexpr int panel_usual_points = 10;
constexpr int least_points = 6;
constexpr double panel_margin = 8.0;
constexpr double panel_gap = 6.0;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(attnlab::ui::Figure)
};

/// How labels are drawn.
struct LabelStyle {
    int points = panel_usual_points;
    bool upright = false;
};

/// Measures how many labels do not fit.
struct Shortage {
    int left_out = 0; ///< neighbours without a label, rows and columns
    bool elided = false;
    auto operator<=>(const Shortage&) const = default;
};

int stepOf(const std::vector<PlacedLabel>& labels) { return labels.size() < 2 ? 1 : labels[1].index - labels[0].index; }

Shortage operator+(const Shortage& a, const Shortage& b) { return {a.left_out + b.left_out, a.elided || b.elided}; }

/// Numbers may be omitted: the others imply them.
Shortage shortageOf(const HeatmapLabels& labels, const MatrixData& matrix) {
    Shortage shortage;
    const auto add = [&](const std::vector<PlacedLabel>& placed, bool named, std::int64_t count, const auto& whole) {
        if (!named)
            return;
        shortage.left_out += placed.size() < 2 && count > 1 ? static_cast<int>(std::min<std::int64_t>(count, 1 << 20))
                                                            : stepOf(placed) - 1;
        for (const auto& label : placed)
            shortage.elided = shortage.elided || label.text != whole(label.index);
    };
    add(labels.rows, !matrix.row_labels.isEmpty(), matrix.view().rows, [&](int i) { return matrix.rowLabel(i); });
    add(labels.columns, !matrix.column_labels.isEmpty(), matrix.view().columns,
        [&](int i) { return matrix.columnLabel(i); });
    return shortage;
}

/// The largest style among those that show the most labels. `shortage` is that of a style.
template <class Count>
LabelStyle bestStyle(const FigureOptions& options, bool named, Count shortage) {
    const int largest = options.font_points > 0 ? options.font_points : panel_usual_points;
    const int smallest = options.font_points > 0 || !named ? largest : least_points;
    LabelStyle best;
    std::optional<Shortage> least;
    for (int points = largest; points >= smallest; --points)
        for (const bool upright : {false, true}) {
            const LabelStyle style{points, upright};
            const Shortage now = shortage(style);
            if (!least || now < *least) {
                least = now;
                best = style;
            }
        }
    return best;
}

QString withStep(const QString& title, const std::vector<PlacedLabel>& labels, bool named) {
    if (!named || stepOf(labels) == 1)
        return title;
    const QString step = Words::tr("(1 label in %1)").arg(stepOf(labels));
    return title.isEmpty() ? step : title + QLatin1Char(' ') + step;
}

bool isNamed(const MatrixData& matrix) { return !matrix.row_labels.isEmpty() || !matrix.column_labels.isEmpty(); }

double pixelOf(const FigurePen& pen) { return pen.vectors ? 0.0 : points_per_inch / pen.options.dpi; }

void paintBody(const FigurePen& pen, const HeatmapFrame& frame, const MatrixData& matrix, const QFont& font) {
    const HeatmapContent content{matrix, pen.scale, pen.look};
    if (pen.vectors)
        paintCellsForFiles(pen.painter, frame, content);
    else
        paintCells(pen.painter, frame, content);
    if (pen.options.numbers)
        paintNumbers(pen.painter, frame, content, font);
}

/// One heatmap with its labels in `area`.
struct PlacedPanel {
    HeatmapLayout layout;
    HeatmapFrame frame;
    HeatmapLabels labels;
};

PlacedPanel placePanel(const FigurePen& pen, const QRectF& area, const MatrixData& matrix, const LabelStyle& style,
                       bool color_bar, bool title) {
    const QFont font = figureFont(pen.options, style.points);
    PlacedPanel placed;
    placed.layout = layoutHeatmap(area, matrix.axes(), pen.scale,
                                  {font, color_bar, title, pixelOf(pen), true, style.upright, font});
    placed.frame = wholeFrame(placed.layout.body, matrix.axes());
    if (!placed.layout.body.isEmpty())
        placed.labels = placeLabels(placed.layout, placed.frame, matrix.axes(), font, std::nullopt);
    return placed;
}

void paintPanel(const FigurePen& pen, const QRectF& area, const MatrixData& matrix, const QString& title,
                const LabelStyle& style, bool color_bar) {
    const auto placed = placePanel(pen, area, matrix, style, color_bar, !title.isEmpty());
    if (placed.layout.body.isEmpty())
        return;
    const QFont font = figureFont(pen.options, style.points);
    paintBody(pen, placed.frame, matrix, font);
    MatrixAxes titled = matrix.axes();
    titled.rows.title = withStep(matrix.row_title, placed.labels.rows, !matrix.row_labels.isEmpty());
    titled.columns.title = withStep(matrix.column_title, placed.labels.columns, !matrix.column_labels.isEmpty());
    paintLabels(pen.painter, placed.layout, placed.labels, titled, font, pen.look);
    if (color_bar)
        paintColorBar(pen.painter, placed.layout.color_bar, pen.scale, font, pen.look);
    if (!title.isEmpty())
        paintTitle(pen.painter, placed.layout.title, title, pen.options, pen.look);
}

/// The number of columns of a grid of roughly square areas.
int columnsFor(int count, const QSizeF& area) {
    return std::clamp(static_cast<int>(std::lround(std::sqrt(count * area.width() / area.height()))), 1, count);
}

/// Several heatmaps side by side, each with its own labels.
void paintApart(const FigurePen& pen, QRectF area, const FigurePanels& panels) {
    const bool bars_of_panels = panels.haveOwnScales();
    if (pen.options.color_bar && !bars_of_panels) {
        const QFont font = figureFont(pen.options);
        const double height = area.height() - 4.0 * panel_margin;
        const double width = colorBarWidth(pen.scale, font, height);
        paintColorBar(pen.painter,
                      QRectF(area.right() - panel_margin - width, area.top() + 2.0 * panel_margin, width, height),
                      pen.scale, font, pen.look);
        area.setRight(area.right() - panel_margin - width);
    }
    area.setBottom(area.bottom() - panel_margin);
    const auto count = static_cast<int>(panels.size());
    const int columns = columnsFor(count, area.size());
    const int rows = (count + columns - 1) / columns;
    const QSizeF cell(area.width() / columns, area.height() / rows);
    const bool bars = pen.options.color_bar && bars_of_panels;
    const auto for_each = [&](auto act) {
        for (int i = 0; i < count; ++i) {
            const int column = i % columns, row = i / columns;
            const QPointF corner = area.topLeft() + QPointF(column * cell.width(), row * cell.height());
            const auto& panel = panels[static_cast<std::size_t>(i)];
            const ColorScale& scale = panel.scale ? *panel.scale : pen.scale;
            act(FigurePen{pen.painter, scale, pen.options, pen.look, pen.vectors}, QRectF(corner, cell), panel);
        }
    };
    const bool named = std::ranges::any_of(panels, [](const FigurePanel& panel) { return isNamed(panel.matrix); });
    const auto style = bestStyle(pen.options, named, [&](const LabelStyle& tried) {
        Shortage all;
        for_each([&](const FigurePen& own, const QRectF& room, const FigurePanel& panel) {
            const auto placed = placePanel(own, room, panel.matrix, tried, bars, !panel.title.isEmpty());
            all = all + shortageOf(placed.labels, panel.matrix);
        });
        return all;
    });
    for_each([&](const FigurePen& own, const QRectF& room, const FigurePanel& panel) {
        paintPanel(own, room, panel.matrix, panel.title, style, bars);
    });
}

bool shareAxes(const FigurePanels& panels) {
    const auto& first = panels.front().matrix;
    return !panels.haveOwnScales() && std::ranges::all_of(panels, [&](const FigurePanel& panel) {
        const auto& other = panel.matrix;
        const auto axes = [](const MatrixData& matrix) {
            return std::tie(matrix.row_labels, matrix.column_labels, matrix.row_title, matrix.column_title,
                            matrix.first_row, matrix.row_step, matrix.first_column, matrix.column_step);
        };
        return other.view().rows == first.view().rows && other.view().columns == first.view().columns &&
               axes(other) == axes(first);
    });
}

/// Heatmaps of equal size in a grid: row labels left of the first column, column labels above the first row, one title
/// for each axis, one colour bar.
struct SharedGrid {
    int columns = 1;
    int rows = 1;
    QSizeF body;       ///< of each heatmap
    QPointF first;     ///< corner of the first one
    QSizeF stride;     ///< from one corner to the next
    double left = 0.0; ///< width of the row labels with their title and gap
    double row_title = 0.0;
    double band = 0.0; ///< height of the column labels
    double column_title = 0.0;
    double line = 0.0; ///< of a heatmap's own title
    QRectF bar;        ///< empty if none
    HeatmapLabels labels;
};

class SharedGridLayout {
public:
    SharedGridLayout(const FigurePen& pen, const QRectF& area, const FigurePanels& panels, const LabelStyle& style)
        : pen_(pen), area_(area.adjusted(panel_margin, 0, -panel_margin, -panel_margin)),
          matrix_(panels.front().matrix), count_(static_cast<int>(panels.size())), style_(style),
          font_(figureFont(pen.options, style.points)), metrics_(font_) {}

    /// The grid with the largest heatmaps.
    SharedGrid best() const {
        SharedGrid best;
        double largest = -1.0;
        for (int columns = 1; columns <= count_; ++columns) {
            const auto grid = withColumns(columns);
            if (const double size = grid.body.width() * grid.body.height(); size > largest) {
                largest = size;
                best = grid;
            }
        }
        best.labels = labelsOf(best);
        return best;
    }

    /// The part of a layout that label placement uses, for one of the heatmaps.
    HeatmapLayout partOf(const SharedGrid& grid, int index) const {
        HeatmapLayout layout;
        layout.area = area_;
        layout.upright = style_.upright;
        const int column = index % grid.columns, row = index / grid.columns;
        const QPointF corner = grid.first + QPointF(column * grid.stride.width(), row * grid.stride.height());
        layout.body = QRectF(corner, grid.body);
        layout.row_labels = QRectF(corner.x() - grid.left, corner.y(), grid.left - panel_gap, grid.body.height());
        layout.column_labels = QRectF(corner.x(), corner.y() - panel_gap - grid.band, grid.body.width(), grid.band);
        return layout;
    }

private:
    SharedGrid withColumns(int columns) const {
        SharedGrid grid;
        grid.columns = columns;
        grid.rows = (count_ + columns - 1) / columns;
        grid.line = metrics_.height() * 1.3;
        grid.row_title = matrix_.row_title.isEmpty() ? 0.0 : metrics_.height() + panel_gap / 2;
        grid.column_title = matrix_.column_title.isEmpty() ? 0.0 : metrics_.height() + panel_gap / 2;
        grid.left =
            grid.row_title + std::min(longestLabel(matrix_.axes().rows, font_), area_.width() * 0.2) + panel_gap;
        const double bar =
            pen_.options.color_bar ? colorBarWidth(pen_.scale, font_, area_.height() / 2) + 2 * panel_gap : 0.0;
        const double rows = static_cast<double>(matrix_.view().rows);
        const double wide = static_cast<double>(matrix_.view().columns);
        const double between = 1.5 * panel_gap;
        grid.band = metrics_.height();
        QSizeF cell;
        for (const bool again : {false, true}) {
            const double top = grid.column_title + grid.line + grid.band + panel_gap;
            const QSizeF room((area_.width() - grid.left - bar - (columns - 1) * between) / columns,
                              (area_.height() - top - (grid.rows - 1) * (grid.line + between)) / grid.rows);
            if (room.width() <= 0.0 || room.height() <= 0.0)
                return grid;
            cell = cellSize(room, rows, wide, 10.0 * metrics_.height());
            if (again || columnLabelsFitFlat(matrix_.axes().columns, font_, cell.width()))
                break;
            const double longest = longestLabel(matrix_.axes().columns, font_);
            grid.band = std::min(style_.upright ? longest + 1.0 : turnedHeight(font_, longest), area_.height() * 0.25);
        }
        const double pixel = pixelOf(pen_);
        cell = QSizeF(wholePixels(cell.width(), pixel), wholePixels(cell.height(), pixel));
        grid.body = QSizeF(cell.width() * wide, cell.height() * rows);
        const auto whole = [pixel](double x) { return pixel > 0.0 ? std::round(x / pixel) * pixel : x; };
        grid.stride = QSizeF(whole(grid.body.width() + between), whole(grid.body.height() + grid.line + between));
        const double top = grid.column_title + grid.line + grid.band + panel_gap;
        const QSizeF all((columns - 1) * grid.stride.width() + grid.body.width(),
                         (grid.rows - 1) * grid.stride.height() + grid.body.height());
        grid.first = QPointF(whole(area_.left() + grid.left + (area_.width() - grid.left - bar - all.width()) / 2),
                             whole(area_.top() + top + (area_.height() - top - all.height()) / 2));
        if (pen_.options.color_bar)
            grid.bar =
                QRectF(grid.first.x() + all.width() + 2 * panel_gap, grid.first.y(), bar - 2 * panel_gap, all.height());
        return grid;
    }

    HeatmapLabels labelsOf(const SharedGrid& grid) const {
        if (grid.body.isEmpty())
            return {};
        // Its titles have separate lines.
        MatrixAxes untitled = matrix_.axes();
        untitled.rows.title.clear();
        untitled.columns.title.clear();
        auto layout = partOf(grid, grid.columns - 1);
        layout.row_labels.setLeft(layout.row_labels.left() + grid.row_title);
        return placeLabels(layout, wholeFrame(layout.body, untitled), untitled, font_, std::nullopt);
    }

    const FigurePen& pen_;
    QRectF area_;
    const MatrixData& matrix_;
    int count_;
    LabelStyle style_;
    QFont font_;
    QFontMetricsF metrics_;
};

void paintAxisTitles(const FigurePen& pen, const SharedGrid& grid, int count, const MatrixData& matrix,
                     const QFont& font) {
    const QFontMetricsF metrics(font);
    const double rows = std::min(grid.rows, (count + grid.columns - 1) / grid.columns);
    const QRectF all(grid.first, QSizeF((grid.columns - 1) * grid.stride.width() + grid.body.width(),
                                        (rows - 1) * grid.stride.height() + grid.body.height()));
    QPainter& painter = pen.painter;
    painter.save();
    painter.setFont(font);
    painter.setPen(pen.look.muted);
    const double top = all.top() - panel_gap - grid.band - grid.line - grid.column_title;
    painter.drawText(QRectF(all.left(), top, all.width(), metrics.height()), Qt::AlignCenter | Qt::TextDontClip,
                     withStep(matrix.column_title, grid.labels.columns, !matrix.column_labels.isEmpty()));
    painter.translate(all.left() - grid.left, all.bottom());
    painter.rotate(-90);
    painter.drawText(QRectF(0, 0, all.height(), metrics.height()), Qt::AlignCenter | Qt::TextDontClip,
                     withStep(matrix.row_title, grid.labels.rows, !matrix.row_labels.isEmpty()));
    painter.restore();
}

void paintShared(const FigurePen& pen, const QRectF& area, const FigurePanels& panels) {
    const auto& matrix = panels.front().matrix;
    if (matrix.view().empty())
        return;
    const auto style = bestStyle(pen.options, isNamed(matrix), [&](const LabelStyle& tried) {
        return shortageOf(SharedGridLayout(pen, area, panels, tried).best().labels, matrix);
    });
    const SharedGridLayout layout(pen, area, panels, style);
    const auto grid = layout.best();
    if (grid.body.isEmpty())
        return;
    const QFont font = figureFont(pen.options, style.points);
    MatrixAxes untitled = matrix.axes();
    untitled.rows.title.clear();
    untitled.columns.title.clear();
    for (int i = 0; i < static_cast<int>(panels.size()); ++i) {
        const auto& panel = panels[static_cast<std::size_t>(i)];
        const auto part = layout.partOf(grid, i);
        const HeatmapFrame frame = wholeFrame(part.body, panel.matrix.axes());
        paintBody(pen, frame, panel.matrix, font);
        HeatmapLabels labels;
        if (i % grid.columns == 0 || i < grid.columns)
            labels = placeLabels(part, frame, untitled, font, std::nullopt);
        if (i % grid.columns != 0)
            labels.rows.clear();
        if (i >= grid.columns)
            labels.columns.clear();
        paintLabels(pen.painter, part, labels, untitled, font, pen.look);
        const double above = part.body.top() - (i < grid.columns ? panel_gap + grid.band : 2.0) - grid.line;
        pen.painter.setFont(font);
        pen.painter.setPen(pen.look.text);
        pen.painter.drawText(QRectF(part.body.left(), above, part.body.width(), grid.line),
                             Qt::AlignHCenter | Qt::AlignVCenter | Qt::TextDontClip, panel.title);
    }
    paintAxisTitles(pen, grid, static_cast<int>(panels.size()), matrix, font);
    if (!grid.bar.isEmpty())
        paintColorBar(pen.painter, grid.bar, pen.scale, font, pen.look);
}

} // namespace

QFont figureFont(const FigureOptions& options, int points) {
    QFont font(options.font_family.isEmpty() ? QStringLiteral("sans-serif") : options.font_family);
    font.setStyleHint(QFont::SansSerif);
    font.setFamily(QFontInfo(font).family()); // the resolved family, which SVG stores
    font.setPixelSize(points);
    return font;
}

QFont figureFont(const FigureOptions& options) {
    return figureFont(options, options.font_points > 0 ? options.font_points : panel_usual_points);
}

double paintTitle(QPainter& painter, const QRectF& area, const QString& title, const FigureOptions& options,
                  const Theme& look) {
    QFont font = figureFont(options);
    font.setPixelSize(static_cast<int>(std::lround(font.pixelSize() * 1.25)));
    font.setBold(true);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(look.text);
    painter.drawText(area, Qt::AlignHCenter | Qt::AlignTop, metrics.elidedText(title, Qt::ElideRight, area.width()));
    return metrics.height() + panel_gap;
}

void paintPanels(const FigurePen& pen, const QRectF& page, const FigurePanels& panels) {
    if (panels.size() == 1) {
        const auto& matrix = panels.front().matrix;
        const QString& title = pen.options.title;
        const bool bar = pen.options.color_bar;
        const auto style = bestStyle(pen.options, isNamed(matrix), [&](const LabelStyle& tried) {
            return shortageOf(placePanel(pen, page, matrix, tried, bar, !title.isEmpty()).labels, matrix);
        });
        paintPanel(pen, page, matrix, title, style, bar);
        return;
    }
    QRectF area = page.adjusted(0, panel_margin, 0, 0);
    if (!pen.options.title.isEmpty())
        area.setTop(area.top() + paintTitle(pen.painter, area.adjusted(panel_margin, 0, -panel_margin, 0),
                                            pen.options.title, pen.options, pen.look));
    if (shareAxes(panels))
        paintShared(pen, area, panels);
    else
        paintApart(pen, area, panels);
}

} // namespace attnlab::ui
