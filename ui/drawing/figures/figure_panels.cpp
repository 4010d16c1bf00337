#include "ui/drawing/figures/figure_panels.h"

#include "ui/drawing/color_bar.h"
#include "ui/drawing/heatmap_layout.h"
#include "ui/drawing/heatmap_painter.h"
#include "ui/drawing/text_drawing.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>

#include <algorithm>
#include <cmath>
#include <compare>
#include <tuple>

namespace attnlab::ui {
namespace {

constexpr int least_points = 6;
constexpr double title_gap = 6.0;
constexpr double between_apart = 10.0; ///< between heatmaps with their own axes

struct Words {
    Q_DECLARE_TR_FUNCTIONS(attnlab::ui::Figure)
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
    const auto axes = matrix.axes();
    add(labels.rows, !axes.rows.labels.isEmpty(), axes.rows.count, [&](int i) { return axes.rows.label(i); });
    add(labels.columns, !axes.columns.labels.isEmpty(), axes.columns.count,
        [&](int i) { return axes.columns.label(i); });
    return shortage;
}

/// The largest style among those that show the most labels. `shortage` is that of a style.
template <class Count>
LabelStyle bestStyle(const FigureOptions& options, bool named, Count shortage) {
    const int largest = options.font_points > 0 ? options.font_points : options.largest_points;
    const int smallest = options.font_points > 0 || !named ? largest : std::min(largest, least_points);
    LabelStyle best;
    std::optional<Shortage> least;
    for (int points = largest; points >= smallest && least != Shortage(); --points)
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

/// The name of an axis, and which labels are shown. A name that the user gave stays as it is.
QString axisName(const QString& title, const std::optional<QString>& given, const std::vector<PlacedLabel>& labels,
                 bool named) {
    if (given || !named || stepOf(labels) == 1)
        return title;
    const QString step = Words::tr("(1 label in %1)").arg(stepOf(labels));
    return title.isEmpty() ? step : title + QLatin1Char(' ') + step;
}

bool isNamed(const MatrixData& matrix) { return !matrix.row_labels.isEmpty() || !matrix.column_labels.isEmpty(); }

double pixelOf(const FigurePen& pen) { return pen.vectors ? 0.0 : points_per_inch / pen.options.dpi; }

void paintBody(const FigurePen& pen, const HeatmapFrame& frame, const MatrixData& matrix, int points) {
    const HeatmapContent content{matrix, pen.scale, pen.look};
    if (pen.vectors)
        paintCellsForFiles(pen.painter, frame, content);
    else
        paintCells(pen.painter, frame, content);
    if (pen.options.numbers)
        paintNumbers(pen.painter, frame, numbersOf(matrix), pen.scale, pen.look,
                     panelNumbers(frame, matrix, pen.options, points));
}

/// Text around the middle of `place`, moved to stay within the page, and elided if it is longer.
void paintAlong(const FigurePen& pen, const QRectF& place, const QRectF& page, const QString& text, const QFont& font,
                bool upward) {
    const QFontMetricsF metrics(font);
    const double from = upward ? page.top() : page.left(), to = upward ? page.bottom() : page.right();
    const QString shown = metrics.elidedText(text, Qt::ElideRight, to - from);
    const double length = metrics.horizontalAdvance(shown);
    const double middle = upward ? place.center().y() : place.center().x();
    const double start = std::clamp(middle - length / 2, from, std::max(from, to - length));
    QPainter& painter = pen.painter;
    painter.save();
    painter.setFont(font);
    painter.setPen(pen.look.muted);
    painter.translate(upward ? QPointF(place.left(), start + length) : QPointF(start, place.top()));
    painter.rotate(upward ? -90.0 : 0.0);
    drawText(painter, QPointF(0.0, metrics.ascent()), shown);
    painter.restore();
}

bool haveNames(const FigurePanels& panels, const FigureOptions& options) {
    return options.letters ||
           std::ranges::any_of(panels, [](const FigurePanel& panel) { return !panel.title.isEmpty(); });
}

QFont titleFont(const FigureOptions& options) {
    QFont font = figureFont(options);
    font.setPixelSize(static_cast<int>(std::lround(font.pixelSize() * 1.25)));
    font.setBold(true);
    return font;
}

/// The name and the letter of a heatmap, in a line that ends at `bottom`.
void paintName(const FigurePen& pen, const QRectF& line, const QString& name, int index, const QFont& font) {
    QPainter& painter = pen.painter;
    painter.setPen(pen.look.text);
    double taken = 0.0;
    if (pen.options.letters) {
        QFont bold = font;
        bold.setBold(true);
        painter.setFont(bold);
        drawText(painter, line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, panelLetter(index));
        taken = 2.0 * (QFontMetricsF(bold).horizontalAdvance(panelLetter(index)) + 3.0);
    }
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    drawText(painter, line, Qt::AlignCenter | Qt::TextDontClip,
             metrics.elidedText(name, Qt::ElideRight, std::max(0.0, line.width() - taken)));
}

/// The profiles of a heatmap; the numbers at their ends where no other is beyond them.
void paintProfiles(const FigurePen& pen, const PlacedPanels& placed, int index) {
    const auto& margins = placed.margins.of[static_cast<std::size_t>(index)];
    if (!margins)
        return;
    const QFont font = profileFont(pen.options, placed.style.points);
    const auto paint = [&](const std::vector<double>& numbers, const MarginEnds& ends, const QRectF& strip,
                           Qt::Orientation outwards) {
        pen.painter.save();
        pen.painter.setRenderHint(QPainter::Antialiasing);
        pen.painter.setPen(Qt::NoPen);
        pen.painter.setBrush(pen.look.accent);
        for (const auto& area : marginAreas(numbers, ends, strip, outwards))
            pen.painter.drawPolygon(area, Qt::WindingFill);
        pen.painter.setPen(QPen(pen.look.muted, 0.5));
        pen.painter.drawLine(marginZero(ends, strip, outwards));
        pen.painter.restore();
    };
    if (placed.margins.rows)
        paint(margins->rows, *placed.margins.rows, placed.grid.rowProfileOf(index), Qt::Horizontal);
    if (placed.margins.columns)
        paint(margins->columns, *placed.margins.columns, placed.grid.columnProfileOf(index), Qt::Vertical);
    pen.painter.setFont(font);
    pen.painter.setPen(pen.look.muted);
    for (const auto& end : profileEnds(placed, index))
        drawText(pen.painter, end.area, end.alignment | Qt::TextDontClip, end.text);
}

void paintMark(const FigurePen& pen, const PlacedMark& placed, const PanelMark& mark) {
    QPainter& painter = pen.painter;
    painter.fillRect(placed.whole, pen.look.border);
    const QColor color = mark.is_signed && mark.share > 0.0 ? pen.look.accent : pen.look.pin;
    constexpr double outline = 0.8;
    if (mark.is_hollow && placed.bar.width() > 3.0 * outline) {
        painter.save();
        painter.setPen(QPen(color, outline));
        painter.setBrush(pen.look.card);
        painter.drawRect(placed.bar.adjusted(outline / 2, outline / 2, -outline / 2, -outline / 2));
        painter.restore();
    } else {
        painter.fillRect(placed.bar, color);
    }
    painter.setFont(placed.font);
    painter.setPen(mark.is_strong ? pen.look.text : pen.look.muted);
    drawText(painter, placed.words, Qt::AlignCenter | Qt::TextDontClip, placed.text);
}

void paintCross(const FigurePen& pen, const QRectF& cells) {
    QPainter& painter = pen.painter;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& [color, width] :
         {std::pair(pen.look.card, cross_width + 2.0 * cross_edge), {pen.look.text, cross_width}}) {
        painter.setPen(QPen(color, width));
        painter.drawLine(cells.topLeft(), cells.bottomRight());
        painter.drawLine(cells.topRight(), cells.bottomLeft());
    }
    painter.restore();
}

void paintShared(const FigurePen& pen, const QRectF& page, const PlacedPanels& placed) {
    const auto& [panels, grid, style, column_title, row_title, column_name, row_name, margins, first, mark_points] =
        placed;
    if (grid.body.isEmpty())
        return; // no cells, or no room
    const QFont font = figureFont(pen.options, style.points);
    const MatrixAxes axes = figureAxes(panels.front().matrix, pen.options, false);
    for (int i = 0; i < static_cast<int>(panels.size()); ++i) {
        const auto& panel = panels[static_cast<std::size_t>(i)];
        const auto part = grid.partOf(i, page, style.upright);
        const HeatmapFrame frame = wholeFrame(part.body, axes);
        const ColorScale& scale = panel.scale ? *panel.scale : pen.scale;
        paintBody({pen.painter, scale, pen.options, pen.look, pen.vectors}, frame, panel.matrix, style.points);
        if (panel.is_crossed_out)
            paintCross(pen, part.body);
        HeatmapLabels labels;
        const bool is_first_row = i < grid.columns, is_first_column = i % grid.columns == 0;
        if (is_first_column || is_first_row)
            labels = placeLabels(part, frame, axes, font, std::nullopt);
        if (!is_first_column)
            labels.rows.clear();
        if (!is_first_row)
            labels.columns.clear();
        paintLabels(pen.painter, part, labels, axes, font, pen.look);
        if (!margins.empty())
            paintProfiles(pen, placed, i);
        if (const auto mark = placeMark(placed, i, pen.options))
            paintMark(pen, *mark, *panel.mark);
        if (grid.line > 0.0)
            paintName(pen, grid.nameOf(i), panel.title, first + i, font);
    }
    if (!grid.column_title.isEmpty())
        paintAlong(pen, grid.column_title, page, column_title, font, false);
    if (!grid.row_title.isEmpty())
        paintAlong(pen, grid.row_title, page, row_title, font, true);
    if (!grid.row_profile_title.isEmpty())
        paintAlong(pen, grid.row_profile_title, page, margins.row_name, font, true);
    if (!grid.column_profile_title.isEmpty())
        paintAlong(pen, grid.column_profile_title, page, margins.column_name, font, false);
    for (const auto& bar : grid.bars)
        paintFigureBar(pen.painter, bar.area, bar.scale, font, pen.look, bar.along);
}

QFont markFont(const FigureOptions& options, int points, bool is_strong) {
    QFont font = figureFont(options, points);
    font.setBold(is_strong);
    return font;
}

/// The width of a mark's text: beside others, up to the next heatmap.
double roomOfMark(const FigureGrid& grid) {
    constexpr double between_words = 3.0;
    return grid.columns > 1 ? grid.stride.width() - between_words : grid.markOf(0).width();
}

bool haveEqualAxes(const FigurePanels& panels) {
    const auto& first = panels.front().matrix;
    return std::ranges::all_of(panels, [&](const FigurePanel& panel) {
        const auto& other = panel.matrix;
        const auto axes = [](const MatrixData& matrix) {
            return std::tie(matrix.row_labels, matrix.column_labels, matrix.row_title, matrix.column_title,
                            matrix.first_row, matrix.row_step, matrix.first_column, matrix.column_step);
        };
        return other.view().rows == first.view().rows && other.view().columns == first.view().columns &&
               axes(other) == axes(first);
    });
}

/// The panels with the names that the user gave to axes and bars, where they are arranged.
class PanelPages {
public:
    PanelPages(FigurePanels panels, ColorScale scale, const FigureOptions& options, double pixel, const QRectF& area)
        : panels_(std::move(panels)), scale_(std::move(scale)), options_(options) {
        for (int i = 0; i < static_cast<int>(panels_.size()); ++i) {
            auto& panel = panels_[static_cast<std::size_t>(i)];
            const QString given = options.panel_names.value(i);
            panel.title = !given.isEmpty() ? given : panels_.size() > 1 ? panel.title : QString();
            panel.matrix.column_title = options.column_title.value_or(panel.matrix.column_title);
            panel.matrix.row_title = options.row_title.value_or(panel.matrix.row_title);
        }
        scale_.title = options.bar_title.value_or(scale_.title);
        margins_ = marginsOf(panels_, options);
        if (haveEqualAxes(panels_))
            groups_.push_back({panels_, area});
        else
            part(area);
        style_ = bestStyle(options, options.labels && std::ranges::any_of(panels_, isNamed, &FigurePanel::matrix),
                           [&](const LabelStyle& style) {
                               Shortage all;
                               for (const auto& group : groups_)
                                   if (options_.labels && !group.panels.front().matrix.view().empty())
                                       all = all + shortageOf(arrange(requestOf(group, 0.0), style).labels,
                                                              group.panels.front().matrix);
                               return all;
                           });
        for (auto& group : groups_)
            if (!group.panels.front().matrix.view().empty())
                group.grid = arrange(requestOf(group, pixel), style_);
    }

    double height() const {
        double tallest = 0.0;
        for (const auto& group : groups_)
            tallest = std::max(tallest, group.grid.needed.height());
        return tallest * rows_;
    }

    /// All heatmaps, for a heading above them.
    QRectF bodies() const {
        QRectF all;
        for (const auto& group : groups_)
            all |= group.grid.bodies(static_cast<int>(group.panels.size()));
        return all;
    }

    const ColorScale& scale() const { return scale_; }

    std::vector<PlacedPanels> placed() const {
        std::vector<PlacedPanels> all;
        int first = 0;
        const int mark_points = markPoints();
        for (const auto& group : groups_) {
            const auto& matrix = group.panels.front().matrix;
            const bool labels = options_.labels;
            all.push_back({group.panels, group.grid, style_,
                           axisName(matrix.column_title, options_.column_title, group.grid.labels.columns,
                                    labels && !matrix.column_labels.isEmpty()),
                           axisName(matrix.row_title, options_.row_title, group.grid.labels.rows,
                                    labels && !matrix.row_labels.isEmpty()),
                           matrix.column_title, matrix.row_title, marginsFrom(first, group), first, mark_points});
            first += static_cast<int>(group.panels.size());
        }
        return all;
    }

private:
    struct Group {
        FigurePanels panels;
        QRectF area;
        FigureGrid grid = {};
    };

    /// Of a group, on the scales of all.
    MarginSet marginsFrom(int first, const Group& group) const {
        MarginSet part = margins_;
        if (!part.empty())
            part.of.assign(margins_.of.begin() + first,
                           margins_.of.begin() + first + static_cast<std::ptrdiff_t>(group.panels.size()));
        return part;
    }

    /// The largest size at which every mark fits, or the least.
    int markPoints() const {
        int points = style_.points;
        const auto fits = [&](const Group& group) {
            const QFontMetricsF plain(markFont(options_, points, false)), strong(markFont(options_, points, true));
            const double room = roomOfMark(group.grid);
            return std::ranges::all_of(group.panels, [&](const FigurePanel& panel) {
                return !panel.mark ||
                       (panel.mark->is_strong ? strong : plain).horizontalAdvance(panel.mark->text) <= room;
            });
        };
        while (points > least_points && !std::ranges::all_of(groups_, fits))
            --points;
        return points;
    }

    /// Each panel alone in a cell of a grid of roughly square areas.
    void part(const QRectF& area) {
        const auto count = static_cast<int>(panels_.size());
        const double ratio = options_.automatic_height ? 3.0 : area.width() / std::max(area.height(), 1.0);
        const int usual = std::clamp(static_cast<int>(std::lround(std::sqrt(count * ratio))), 1, count);
        const int columns = options_.columns > 0 ? std::min(options_.columns, count) : usual;
        rows_ = (count + columns - 1) / columns;
        const QSizeF cell((area.width() - (columns - 1) * between_apart) / columns, area.height() / rows_);
        for (int i = 0; i < count; ++i) {
            const QPointF corner(i % columns * (cell.width() + between_apart), i / columns * cell.height());
            groups_.push_back({{panels_[static_cast<std::size_t>(i)]}, QRectF(area.topLeft() + corner, cell)});
        }
    }

    /// The style is that of vectors in every format: it decides the height.
    GridRequest requestOf(const Group& group, double pixel) const {
        return {group.panels, scale_, options_, group.area, pixel, haveNames(panels_, options_), margins_};
    }

    FigurePanels panels_;
    ColorScale scale_;
    const FigureOptions& options_;
    int rows_ = 1; ///< of groups
    MarginSet margins_;
    LabelStyle style_;
    std::vector<Group> groups_;
};

} // namespace

std::vector<ProfileEnd> profileEnds(const PlacedPanels& placed, int index) {
    const auto& [of, rows, columns, row_name, column_name] = placed.margins;
    const auto& grid = placed.grid;
    std::vector<ProfileEnd> ends;
    constexpr double gap = 3.0;
    if (rows && index + grid.columns >= static_cast<int>(placed.panels.size())) {
        const QRectF strip = grid.rowProfileOf(index);
        const QRectF below(strip.left(), strip.bottom() + 1.0, strip.width(), grid.strip);
        ends.push_back({rows->lowText(), below, Qt::AlignLeft | Qt::AlignTop});
        ends.push_back({rows->highText(), below, Qt::AlignRight | Qt::AlignTop});
    }
    if (columns && index % grid.columns == 0) {
        const QRectF strip = grid.columnProfileOf(index);
        const QRectF beside(strip.left() - grid.left, strip.top(), grid.left - gap, strip.height());
        ends.push_back({columns->lowText(), beside, Qt::AlignRight | Qt::AlignTop});
        ends.push_back({columns->highText(), beside, Qt::AlignRight | Qt::AlignBottom});
    }
    return ends;
}

std::optional<PlacedMark> placeMark(const PlacedPanels& placed, int index, const FigureOptions& options) {
    const auto& mark = placed.panels[static_cast<std::size_t>(index)].mark;
    const QRectF area = placed.grid.markOf(index);
    if (!mark || area.isEmpty())
        return std::nullopt;
    const double room = roomOfMark(placed.grid);
    PlacedMark made;
    made.font = markFont(options, placed.mark_points, mark->is_strong);
    made.text = QFontMetricsF(made.font).elidedText(mark->text, Qt::ElideMiddle, room);
    made.whole = QRectF(area.topLeft(), QSizeF(area.width(), mark_bar_height));
    const double share = std::clamp(mark->share, -1.0, 1.0);
    const double length = (mark->is_signed ? area.width() / 2 : area.width()) * std::abs(share);
    const double from = !mark->is_signed ? area.left() : share < 0.0 ? area.center().x() - length : area.center().x();
    made.bar = QRectF(from, area.top(), length, mark_bar_height);
    made.words =
        QRectF(area.center().x() - room / 2, area.top() + mark_bar_height, room, area.height() - mark_bar_height);
    return made;
}

PlacedNote placeNote(const QString& note, const FigureOptions& options, const QRectF& page) {
    PlacedNote placed;
    if (note.isEmpty())
        return placed;
    constexpr double edge = 6.0, smaller = 0.85;
    const int points = figureFont(options).pixelSize();
    placed.font = figureFont(options, std::max(least_points, static_cast<int>(std::lround(points * smaller))));
    const QFontMetricsF metrics(placed.font);
    QTextLayout layout(note, placed.font);
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(std::max(1.0, page.width() - 2 * edge));
        placed.lines << note.mid(line.textStart(), line.textLength()).trimmed();
    }
    layout.endLayout();
    placed.line = metrics.height();
    placed.height = static_cast<double>(placed.lines.size()) * placed.line + edge;
    placed.first = QPointF(page.left() + edge, page.bottom() - placed.height + placed.line / 2);
    return placed;
}

QString panelLetter(int index) {
    QString letter;
    for (int left = index; left >= 0; left = left / 26 - 1)
        letter.prepend(QChar(static_cast<char16_t>(u'a' + left % 26)));
    return letter;
}

CellNumbers panelNumbers(const HeatmapFrame& frame, const MatrixData& matrix, const FigureOptions& options,
                         int points) {
    const int most_digits = options.digits > 0 ? options.digits : cell_digits;
    for (int size = points; size >= std::min(points, least_points); --size) {
        auto numbers = numbersFitting(frame, numbersOf(matrix), figureFont(options, size), most_digits);
        if (numbers.digits > 0 && numbers.font.pixelSize() >= std::min(size, least_points))
            return numbers;
    }
    return {};
}

std::vector<PlacedPanels> placePanels(const ColorScale& scale, const FigureOptions& options, const FigurePanels& panels,
                                      double pixel, const QRectF& page) {
    return PanelPages(panels, scale, options, pixel, page.adjusted(0, figureTitleHeight(options), 0, 0)).placed();
}

double figureTitleHeight(const FigureOptions& options) {
    return options.title.isEmpty() ? 0.0 : QFontMetricsF(titleFont(options)).height() + title_gap;
}

double paintTitle(QPainter& painter, const QRectF& area, const QRectF& above, const QString& title,
                  const FigureOptions& options, const Theme& look) {
    const QFont font = titleFont(options);
    const QFontMetricsF metrics(font);
    const QString shown = metrics.elidedText(title, Qt::ElideRight, area.width());
    const double width = metrics.horizontalAdvance(shown);
    const double left =
        std::clamp(above.center().x() - width / 2, area.left(), std::max(area.left(), area.right() - width));
    painter.setFont(font);
    painter.setPen(look.text);
    drawText(painter, QPointF(left, area.top() + metrics.ascent()), shown);
    return metrics.height() + title_gap;
}

double heightOfPanels(const ColorScale& scale, const FigureOptions& options, const FigurePanels& panels) {
    const QRectF area(0, 0, options.size_points.width(), options.size_points.height());
    return figureTitleHeight(options) + PanelPages(panels, scale, options, 0.0, area).height();
}

void paintPanels(const FigurePen& pen, const QRectF& page, const FigurePanels& panels) {
    const double top = figureTitleHeight(pen.options);
    const PanelPages pages(panels, pen.scale, pen.options, pixelOf(pen), page.adjusted(0, top, 0, 0));
    if (top > 0.0)
        paintTitle(pen.painter, page.adjusted(title_gap, title_gap / 2, -title_gap, 0), pages.bodies(),
                   pen.options.title, pen.options, pen.look);
    for (const auto& placed : pages.placed())
        paintShared({pen.painter, pages.scale(), pen.options, pen.look, pen.vectors}, page, placed);
}

} // namespace attnlab::ui
