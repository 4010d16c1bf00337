#include "ui/drawing/figures/figure_grid.h"

#include "ui/drawing/color_bar.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <QFontInfo>
#include <QFontMetricsF>

namespace attnlab::ui {
namespace {

constexpr double page_margin = 4.0;          ///< at the edges of a figure
constexpr double label_gap = 3.0;            ///< between labels and cells
constexpr double bar_gap = 7.0;              ///< between cells and a colour bar
constexpr double between_bodies = 7.0;       ///< between heatmaps
constexpr double profile_gap = 2.0;          ///< between cells and a profile
constexpr double mark_gap = 2.0;             ///< between cells and the bar of a mark
constexpr int largest_profile_points = 8;    ///< of the numbers at its ends
constexpr double most_of_labels = 0.15;      ///< of the width or height
constexpr double most_beside_several = 0.12; ///< of the width, where several heatmaps share the labels
constexpr double most_above = 0.2;           ///< of the height, for column labels
constexpr double wide_enough = 0.72;         ///< share of the width from which a bar beside the cells is worth its room
constexpr double beside_bonus = 1.08;        ///< a bar beside is preferred to one below up to this loss
constexpr double orphan_cost = 0.8;          ///< of a last row that is not full

/// Widths of labels in one font, each measured once.
class LabelWidths {
public:
    LabelWidths(const MatrixAxis& axis, const QFont& font)
        : axis_(axis), metrics_(font), widths_(static_cast<std::size_t>(axis.labels.isEmpty() ? 0 : axis.count), -1.0) {
    }

    /// The widest among every `step`th.
    double widest(int step) {
        if (axis_.unnamed || axis_.count == 0)
            return 0.0;
        if (widths_.empty())
            return std::ceil(metrics_.horizontalAdvance(QString::number(axis_.number(axis_.count - 1))));
        double widest = 0.0;
        for (std::size_t i = 0; i < widths_.size(); i += static_cast<std::size_t>(std::max(1, step))) {
            if (widths_[i] < 0.0)
                widths_[i] = metrics_.horizontalAdvance(axis_.label(static_cast<std::int64_t>(i)));
            widest = std::max(widest, widths_[i]);
        }
        return std::ceil(widest) + 0.5;
    }

private:
    const MatrixAxis& axis_;
    QFontMetricsF metrics_;
    std::vector<double> widths_;
};

/// The preferred numbers of heatmaps beside each other where the height follows.
int usualColumns(int count) {
    if (count <= 4)
        return count;
    int best = 4;
    double least = std::numeric_limits<double>::infinity();
    for (int columns = 3; columns <= 8; ++columns) {
        const int missing = (columns - count % columns) % columns;
        const double cost = missing + std::abs(columns - 1.1 * std::sqrt(count));
        if (cost < least) {
            least = cost;
            best = columns;
        }
    }
    return best;
}

class Arranger {
public:
    Arranger(const GridRequest& request, const LabelStyle& style)
        : request_(request), style_(style), axes_(figureAxes(request.panels.front().matrix, request.options, true)),
          count_(static_cast<int>(request.panels.size())), font_(figureFont(request.options, style.points)),
          metrics_(font_), row_widths_(axes_.rows, font_), column_widths_(axes_.columns, font_),
          free_height_(request.options.automatic_height), has_bar_(request.options.color_bar),
          row_title_(axes_.rows.title.isEmpty() ? 0.0 : metrics_.height() + 2.0),
          column_title_(axes_.columns.title.isEmpty() ? 0.0 : metrics_.height() + 1.0) {
        area_ = request.area.adjusted(page_margin, page_margin, -page_margin, -page_margin);
        if (free_height_)
            area_.setHeight(boundless);
        if (std::ranges::any_of(request.panels, [](const FigurePanel& panel) { return panel.mark.has_value(); }))
            mark_ = mark_gap + mark_bar_height + metrics_.height();
        measureProfiles();
    }

    FigureGrid best() {
        const bool one_scale = !request_.panels.haveOwnScales();
        Arrangement best;
        double largest = -1.0;
        const auto consider = [&](int columns, Qt::Orientation along) {
            auto next = withColumns(columns, along);
            const double value = valueOf(next);
            if (value > largest) {
                largest = value;
                best = std::move(next);
            }
        };
        for (const int columns : columnsToTry()) {
            if (one_scale || !has_bar_)
                consider(columns, Qt::Vertical);
            if (has_bar_)
                consider(columns, Qt::Horizontal);
        }
        if (!best.grid.body.isEmpty())
            place(best);
        return best.grid;
    }

private:
    static constexpr double boundless = 1e9;

    struct Arrangement {
        FigureGrid grid;
        Qt::Orientation along = Qt::Vertical; ///< of the bars
        double right = 0.0, below = 0.0;      ///< room of the bars
        QSizeF exact{0.0, 0.0};               ///< of a heatmap, before cells are rounded to pixels
    };

    double valueOf(const Arrangement& made) const {
        const auto& grid = made.grid;
        // Not by pixels: every resolution has the arrangement by which the height of the page was chosen.
        double value = made.exact.width() * made.exact.height();
        if (count_ % grid.columns != 0)
            value *= orphan_cost;
        if (!has_bar_ || made.along == Qt::Horizontal)
            return value;
        if (!free_height_)
            return value * beside_bonus;
        const bool is_wide = made.exact.width() * grid.columns >= wide_enough * request_.area.width();
        return is_wide ? value * 4.0 : value;
    }

    std::vector<int> columnsToTry() const {
        const int chosen = std::min(request_.options.columns, count_);
        if (chosen > 0 || free_height_)
            return {chosen > 0 ? chosen : usualColumns(count_)};
        std::vector<int> all;
        constexpr int most_tried = 64;
        for (int columns = 1; columns <= std::min(count_, most_tried); ++columns)
            all.push_back(columns);
        return all;
    }

    const ColorScale& scaleOf(int index) const {
        const auto& own = request_.panels[static_cast<std::size_t>(index)].scale;
        return own ? *own : request_.scale;
    }

    /// The deepest of the bars below.
    double depthBelow(double width) const {
        double depth = 0.0;
        if (!request_.panels.haveOwnScales())
            return figureBarDepth(request_.scale, font_, width, Qt::Horizontal);
        for (int i = 0; i < count_; ++i)
            depth = std::max(depth, figureBarDepth(scaleOf(i), font_, width, Qt::Horizontal));
        return depth;
    }

    /// Height of the column labels.
    double bandFor(double cell_width) {
        if (axes_.columns.unnamed)
            return 0.0;
        const double line = metrics_.height();
        if (axes_.columns.labels.isEmpty() || columnLabelsFitFlat(axes_.columns, font_, cell_width))
            return line;
        const double longest = column_widths_.widest(columnLabelStep(axes_.columns, font_, cell_width, style_.upright));
        const double most = most_above * (free_height_ ? request_.area.width() : request_.area.height());
        return std::max(line, std::min(style_.upright ? longest + 1.0 : turnedHeight(font_, longest), most));
    }

    /// Width of the row labels, and of the numbers at a profile below them.
    double rowsFor(double cell_height) {
        return std::max(numbers_of_columns_,
                        std::min(row_widths_.widest(rowLabelStep(axes_.rows, font_, cell_height)),
                                 (count_ > 1 ? most_beside_several : most_of_labels) * request_.area.width()));
    }

    // Profiles: strips of one depth, with a line for the names of all.

    double roomOfProfile() const { return strip_ > 0.0 ? profile_gap + strip_ : 0.0; }
    double roomBelow() const { return mark_ + roomOfProfile(); }
    double roomRight() const { return request_.margins.rows ? roomOfProfile() : 0.0; }
    double besideBodies() const { return request_.margins.rows ? roomRight() + metrics_.height() : 0.0; }

    bool hasProfiles(int index) const { return request_.margins.of[static_cast<std::size_t>(index)].has_value(); }

    /// Whether heatmaps without profiles are the last ones of all rows, so that the name of the others' is before them.
    bool isNameInside(int columns) const {
        if (!request_.margins.rows || columns == 1)
            return false;
        for (int i = 0; i < count_; ++i)
            if (hasProfiles(i) && (i % columns == columns - 1 || i == count_ - 1))
                return false;
        return true;
    }

    /// Deep enough for the numbers at both ends.
    void measureProfiles() {
        const auto& margins = request_.margins;
        if (margins.empty())
            return;
        const QFontMetricsF numbers(profileFont(request_.options, style_.points));
        const auto width = [&](const QString& text) { return numbers.horizontalAdvance(text); };
        constexpr double between_numbers = 4.0, deepest_of_page = 0.07;
        strip_ = std::max(2.0 * numbers.height(), std::min(32.0, deepest_of_page * request_.area.width()));
        if (margins.rows)
            strip_ =
                std::max(strip_, width(margins.rows->lowText()) + width(margins.rows->highText()) + between_numbers);
        if (margins.columns)
            numbers_of_columns_ = std::max(width(margins.columns->lowText()), width(margins.columns->highText()));
    }

    Arrangement withColumns(int columns, Qt::Orientation along) {
        Arrangement made;
        made.along = along;
        FigureGrid& grid = made.grid;
        grid.columns = columns;
        grid.rows = (count_ + columns - 1) / columns;
        grid.line = request_.named ? metrics_.height() * 1.15 : 0.0;
        const bool level = along == Qt::Horizontal;
        const double between_rows = count_ > 1 ? between_bodies : 0.0;
        const bool inside = isNameInside(columns);
        const double between = between_rows + (count_ > 1 ? roomRight() : 0.0) + (inside ? metrics_.height() : 0.0);
        const auto rows = static_cast<double>(axes_.rows.count), wide = static_cast<double>(axes_.columns.count);
        // Labels of the last row or column, and the ends of a bar, reach beyond small cells.
        const double overhang = 0.35 * metrics_.height();
        const double line = request_.margins.empty() ? 0.0 : metrics_.height();
        made.below =
            roomBelow() + line + (has_bar_ && level ? bar_gap + depthBelow(area_.width() / columns * 0.7) : overhang);
        const double row_gap =
            grid.line + between_rows + (request_.panels.haveOwnScales() && grid.rows > 1 ? made.below : roomBelow());
        // What labels and bars need depends on the cells, and these on them.
        double labels = rowsFor(boundless), band = bandFor(boundless), length = area_.width() / 2;
        QSizeF cell;
        constexpr int rounds = 5;
        for (int round = 0; round < rounds; ++round) {
            grid.left = row_title_ + labels + label_gap;
            grid.band = band;
            made.right =
                (inside ? 0.0 : besideBodies()) +
                (has_bar_ && !level ? bar_gap + figureBarDepth(request_.scale, font_, length, Qt::Vertical) : overhang);
            const double top = column_title_ + grid.line + band + label_gap;
            const QSizeF room((area_.width() - grid.left - made.right - (columns - 1) * between) / columns,
                              (area_.height() - top - made.below - (grid.rows - 1) * row_gap) / grid.rows);
            if (room.width() <= 0.0 || room.height() <= 0.0) {
                grid.body = {};
                return made;
            }
            cell = cellSize(room, rows, wide, boundless);
            const double next_labels = rowsFor(cell.height()), next_band = bandFor(cell.width());
            const double next_length = grid.rows * cell.height() * rows + (grid.rows - 1) * row_gap;
            if (next_labels == labels && next_band == band && next_length == length)
                break;
            // In the last rounds only more room, so that it ends.
            const bool is_late = round >= rounds - 3;
            labels = is_late ? std::max(labels, next_labels) : next_labels;
            band = is_late ? std::max(band, next_band) : next_band;
            length = next_length;
        }
        made.exact = QSizeF(cell.width() * wide, cell.height() * rows);
        cell = QSizeF(wholePixels(cell.width(), request_.pixel), wholePixels(cell.height(), request_.pixel));
        grid.body = QSizeF(cell.width() * wide, cell.height() * rows);
        grid.stride = QSizeF(whole(grid.body.width() + between), whole(grid.body.height() + row_gap));
        return made;
    }

    double whole(double x) const { return request_.pixel > 0.0 ? std::round(x / request_.pixel) * request_.pixel : x; }

    /// Positions within the area, the content in its middle.
    void place(Arrangement& best) const {
        FigureGrid& grid = best.grid;
        const QSizeF all = grid.bodies(count_).size();
        const double top = column_title_ + grid.line + grid.band + label_gap;
        grid.needed = QSizeF(grid.left + all.width() + best.right + 2 * page_margin,
                             top + all.height() + best.below + 2 * page_margin);
        const double spare_across = std::max(0.0, request_.area.width() - grid.needed.width());
        const double spare_down = free_height_ ? 0.0 : std::max(0.0, request_.area.height() - grid.needed.height());
        grid.first =
            QPointF(whole(area_.left() + grid.left + spare_across / 2), whole(area_.top() + top + spare_down / 2));
        const QRectF bodies = grid.bodies(count_);
        const double line = metrics_.height();
        if (column_title_ > 0.0)
            grid.column_title = QRectF(bodies.left(), bodies.top() - label_gap - grid.band - grid.line - column_title_,
                                       bodies.width(), line);
        if (row_title_ > 0.0)
            grid.row_title = QRectF(bodies.left() - grid.left, bodies.top(), line, bodies.height());
        grid.strip = strip_;
        grid.mark = mark_;
        grid.has_row_profile = request_.margins.rows.has_value();
        const bool inside = isNameInside(grid.columns);
        grid.to_bar = bar_gap + (best.along == Qt::Horizontal ? roomBelow() + (strip_ > 0.0 ? line : 0.0)
                                 : inside                     ? 0.0
                                                              : besideBodies());
        if (grid.has_row_profile) {
            int last = std::min(grid.columns, count_) - 1; // in the first row
            while (inside && last > 0 && !hasProfiles(last))
                --last;
            const QRectF beside = grid.partOf(last, {}, false).body;
            grid.row_profile_title = QRectF(beside.right() + roomRight(), bodies.top(), line, bodies.height());
        }
        if (strip_ > 0.0)
            grid.column_profile_title = QRectF(bodies.left(), bodies.bottom() + roomBelow(), bodies.width(), line);
        if (has_bar_)
            placeBars(best);
        const auto part = grid.partOf(grid.columns - 1, request_.area, style_.upright);
        const auto axes = figureAxes(request_.panels.front().matrix, request_.options, false);
        grid.labels = placeLabels(part, wholeFrame(part.body, axes), axes, font_, std::nullopt);
    }

    void placeBars(Arrangement& best) const {
        FigureGrid& grid = best.grid;
        const QRectF all = grid.bodies(count_);
        if (!request_.panels.haveOwnScales()) {
            const bool level = best.along == Qt::Horizontal;
            const double gap = grid.to_bar;
            grid.bars.push_back({level ? QRectF(all.left(), all.bottom() + gap, all.width(), best.below - gap)
                                       : QRectF(all.right() + gap, all.top(), best.right - gap, all.height()),
                                 request_.scale, best.along});
            return;
        }
        for (int i = 0; i < count_;) {
            int last = i;
            while (last + 1 < count_ && (last + 1) % grid.columns != 0 && scaleOf(last + 1) == scaleOf(i))
                ++last;
            const QRectF from = grid.partOf(i, all, false).body, to = grid.partOf(last, all, false).body;
            grid.bars.push_back(
                {QRectF(from.left(), from.bottom() + grid.to_bar, to.right() - from.left(), best.below - grid.to_bar),
                 scaleOf(i), Qt::Horizontal});
            i = last + 1;
        }
    }

    const GridRequest& request_;
    LabelStyle style_;
    MatrixAxes axes_;
    int count_;
    QFont font_;
    QFontMetricsF metrics_;
    LabelWidths row_widths_, column_widths_;
    bool free_height_, has_bar_;
    double row_title_, column_title_;               ///< room of the axes' names
    double strip_ = 0.0, numbers_of_columns_ = 0.0; ///< of profiles
    double mark_ = 0.0;                             ///< see FigureGrid
    QRectF area_;
};

} // namespace

MatrixAxes figureAxes(const MatrixData& matrix, const FigureOptions& options, bool titled) {
    auto axes = matrix.axes();
    for (auto* axis : {&axes.rows, &axes.columns}) {
        axis->unnamed = axis->unnamed || !options.labels;
        if (!titled || !options.labels)
            axis->title.clear();
    }
    return axes;
}

QFont figureFont(const FigureOptions& options, int points) {
    const bool is_chosen = !options.font_family.isEmpty();
    QFont font(is_chosen ? options.font_family : QStringLiteral("sans-serif"));
    font.setStyleHint(QFont::SansSerif);
    font.setFamily(is_chosen ? QFontInfo(font).family() : latinFamily(font)); // the resolved family, which SVG stores
    font.setPixelSize(points);
    return font;
}

QFont profileFont(const FigureOptions& options, int points) {
    return figureFont(options, std::min(points, largest_profile_points));
}

QFont figureFont(const FigureOptions& options) {
    return figureFont(options, options.font_points > 0 ? options.font_points : options.largest_points);
}

HeatmapLayout FigureGrid::partOf(int index, const QRectF& page, bool upright) const {
    HeatmapLayout layout;
    layout.area = page;
    layout.upright = upright;
    const QPointF corner = first + QPointF(index % columns * stride.width(), index / columns * stride.height());
    layout.body = QRectF(corner, body);
    const double title = row_title.width();
    layout.row_labels = QRectF(corner.x() - left + title, corner.y(), left - title - label_gap, body.height());
    layout.column_labels = QRectF(corner.x(), corner.y() - label_gap - band, body.width(), band);
    return layout;
}

QRectF FigureGrid::bodies(int count) const {
    const int down = (count + columns - 1) / columns, across = std::min(count, columns);
    return QRectF(first,
                  QSizeF((across - 1) * stride.width() + body.width(), (down - 1) * stride.height() + body.height()));
}

QRectF FigureGrid::nameOf(int index) const {
    const auto part = partOf(index, {}, false);
    const double bottom = index < columns ? part.column_labels.top() : part.body.top() - 2.0;
    return QRectF(part.body.left(), bottom - line, part.body.width(), line);
}

QRectF FigureGrid::rowProfileOf(int index) const {
    const QRectF of = partOf(index, {}, false).body;
    return has_row_profile ? QRectF(of.right() + profile_gap, of.top(), strip, of.height()) : QRectF();
}

QRectF FigureGrid::columnProfileOf(int index) const {
    const QRectF of = partOf(index, {}, false).body;
    return strip > 0.0 ? QRectF(of.left(), of.bottom() + mark + profile_gap, of.width(), strip) : QRectF();
}

QRectF FigureGrid::markOf(int index) const {
    const QRectF of = partOf(index, {}, false).body;
    return mark > 0.0 ? QRectF(of.left(), of.bottom() + mark_gap, of.width(), mark - mark_gap) : QRectF();
}

FigureGrid arrange(const GridRequest& request, const LabelStyle& style) { return Arranger(request, style).best(); }

} // namespace attnlab::ui
