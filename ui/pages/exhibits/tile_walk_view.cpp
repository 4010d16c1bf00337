#include "ui/pages/exhibits/tile_walk_view.h"

#include "ui/drawing/drawing_canvas.h"
#include "ui/drawing/heatmap_layout.h"
#include "ui/drawing/heatmap_painter.h"
#include "ui/drawing/role_color.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/pages/exhibits/player.h"
#include "ui/pages/exhibits/tile_walk.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <QCheckBox>
#include <QComboBox>
#include <QFontMetricsF>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

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
    return QSizeF(side(steps.keyTiles(), steps.keys()) + 10.5 * line + 4 * narrow_column,
                  side(steps.queryTiles(), steps.queries()) + 4.5 * line);
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
    const CellNumbers fitting = numbersFitting(frame, numbers, pen.style.font, board_digits);
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
    if (query) {
        pen.painter.setPen(roleColor(AttentionRole::Query, pen.style.look));
        above(pen.at.query, QStringLiteral("Q"), 10);
    }
    if (key) {
        pen.painter.setPen(roleColor(AttentionRole::Key, pen.style.look));
        pen.painter.drawText(QRectF(pen.at.key.left() - 60, pen.at.key.top(), 54, pen.at.key.height()),
                             Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("Kᵀ"));
    }
    pen.painter.setPen(pen.style.look.muted);
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
        entries.push_back(tileEntry(state, TileWalkDescription::ofState(state), pen.style.look));
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

// What TileWalkDrawing shows, in words.

QString TileWalkDrawing::cellText(Cell cell) const {
    const TileIndex tile{cell.row / steps.querySpan(0).count(), cell.column / steps.keySpan(0).count()};
    const bool blocked = map.matrix.isBlocked(cell.row, cell.column);
    return tr("%1 → %2: %3\nTile: %4")
        .arg(map.matrix.rowLabel(cell.row), map.matrix.columnLabel(cell.column),
             blocked ? tr("masked") : exactText(map.matrix.view()(cell.row, cell.column)),
             TileWalkDescription::ofState(steps.state(tile, step)));
}

QString TileWalkDrawing::besideText(std::int64_t row, Beside part, std::int64_t feature) const {
    if (row < 0 || row >= steps.rowsReached(step))
        return {};
    const QString name = map.matrix.rowLabel(row);
    switch (part) {
    case Max:
        return tr("m of %1, the running maximum: %2").arg(name, exactText(steps.rowMax(row, step)));
    case Sum:
        return tr("ℓ of %1, the running sum: %2").arg(name, exactText(steps.rowSum(row, step)));
    case Rescale:
        return row < steps.querySpan(steps.tile(step).query).first
                   ? QString()
                   : tr("Sums of %1 before this tile are multiplied by exp(m before − m) = %2")
                         .arg(name, exactText(steps.rescale(row, step)));
    case Output:
        return tr("%1, feature %2, %3: %4")
            .arg(name)
            .arg(feature)
            .arg(outputCaption(), exactText(outputAt(row, std::min(feature, steps.features() - 1))));
    }
    return {};
}

QString TileWalkDrawing::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    const TileWalkLayout at = layout(area, font);
    if (const auto cell = mapFrame(at).cellAt(position))
        return cellText(*cell);
    if (query && at.query.contains(position)) {
        const auto cell = wholeFrame(at.query, query->matrix.axes()).cellAt(position);
        return cell ? tr("Q of %1, feature %2: %3")
                          .arg(map.matrix.rowLabel(cell->row))
                          .arg(cell->column)
                          .arg(exactText(query->matrix.view()(cell->row, cell->column)))
                    : QString();
    }
    if (key && at.key.contains(position)) {
        const auto cell = wholeFrame(at.key, key->matrix.axes()).cellAt(position);
        return cell ? tr("K of %1, feature %2: %3")
                          .arg(map.matrix.columnLabel(cell->column))
                          .arg(cell->row)
                          .arg(exactText(key->matrix.view()(cell->row, cell->column)))
                    : QString();
    }
    const auto row = static_cast<std::int64_t>(
        std::floor((position.y() - at.max.top()) / at.max.height() * static_cast<double>(steps.queries())));
    if (at.max.contains(position))
        return besideText(row, Max);
    if (at.sum.contains(position))
        return besideText(row, Sum);
    if (at.rescale.contains(position))
        return besideText(row, Rescale);
    if (steps.features() > 0 && at.output.contains(position))
        return besideText(row, Output,
                          static_cast<std::int64_t>((position.x() - at.output.left()) / at.output.width() *
                                                    static_cast<double>(steps.features())));
    return {};
}

int TileWalkDrawing::rows() const { return static_cast<int>(steps.queries()); }
int TileWalkDrawing::columns() const { return static_cast<int>(steps.keys() + Output + steps.features()); }
QString TileWalkDrawing::rowName(int row) const { return map.matrix.rowLabel(row); }

QString TileWalkDrawing::columnName(int column) const {
    const auto part = column - steps.keys();
    return part < 0          ? map.matrix.columnLabel(column)
           : part == Max     ? QStringLiteral("m")
           : part == Sum     ? QStringLiteral("ℓ")
           : part == Rescale ? tr("rescale")
                             : QStringLiteral("%1, %2").arg(outputCaption()).arg(part - Output);
}

QString TileWalkDrawing::cellWords(int row, int column) const {
    const auto part = column - steps.keys();
    if (part < 0)
        return cellText({row, column});
    const QString text = besideText(row, static_cast<Beside>(std::min<std::int64_t>(part, Output)), part - Output);
    return text.isEmpty() ? tr("%1, %2: not computed yet", "row, column").arg(rowName(row), columnName(column)) : text;
}

namespace {

/// Tokens across: (tokens, features) -> (features, tokens).
MatrixData transposed(const MatrixData& matrix) {
    const auto view = matrix.view();
    MatrixData result;
    result.values = Tensor({view.columns, view.rows});
    auto values = result.values.mutable_values();
    for (std::int64_t i = 0; i < view.rows; ++i)
        for (std::int64_t j = 0; j < view.columns; ++j)
            values[static_cast<std::size_t>(j * view.rows + i)] = view(i, j);
    return result;
}

} // namespace

TileWalkView::TileWalkView(ViewState& view, QWidget* parent)
    : ExhibitPage(parent), view_(view), map_(new QComboBox(this)), divide_(new QCheckBox(this)),
      player_(new Player(this)) {
    for (auto* tool : std::initializer_list<QWidget*>{map_, divide_}) {
        tools()->addWidget(tool);
        tools()->setAlignment(tool, Qt::AlignVCenter);
    }
    column()->addWidget(player_);
    setTabOrder(divide_, canvas());
    connect(&view_, &ViewState::sliceChanged, this, &TileWalkView::refresh);
    connect(&view_, &ViewState::hoveredChanged, this, &TileWalkView::showStep);
    connect(&view_, &ViewState::pinnedChanged, this, &TileWalkView::showStep);
    connect(map_, &QComboBox::activated, this, &TileWalkView::refresh);
    connect(divide_, &QCheckBox::toggled, this, [this] {
        refreshColors();
        showStep();
    });
    connect(player_, &Player::positionChanged, this, [this] {
        showStep();
        if (canvas()->isVisible() && !drawing_.steps.empty())
            reveal(drawing_.tileRect(drawing_.layout(canvas()->area(), canvas()->font()),
                                     drawing_.steps.tile(drawing_.step)));
    });
    map_->setAccessibleName(tr("Numbers on the map"));
    map_->setToolTip(map_->accessibleName());
    divide_->setText(tr("divide by ℓ"));
    divide_->setToolTip(tr("Show the outputs divided by the running sum"));
    refresh();
}

const TileWalk* TileWalkView::walk() const { return computed_ ? exhibitOf<TileWalk>(computed_->trace) : nullptr; }

void TileWalkView::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    refresh();
}

void TileWalkView::refresh() {
    const TileSteps before = drawing_.steps;
    const auto tile =
        before.empty() ? std::nullopt : std::optional(before.tile(std::min(player_->position(), before.count() - 1)));
    canvas()->setDrawing(nullptr);
    drawing_.steps = {};
    const int head = std::max(0, computed_ ? headWithin(computed_->trace, view_.head()) : 0);
    if (walk())
        drawing_.steps = TileSteps(computed_, *walk(), view_.batch(), head);
    const bool heads = computed_ && sizeOf(computed_->trace).heads > 1;
    setTitle(heads ? tr("Tiles · head %1").arg(head) : tr("Tiles"));
    refreshMaps();
    const auto& steps = drawing_.steps;
    const bool same_tiles = before.queryTiles() == steps.queryTiles() && before.keyTiles() == steps.keyTiles();
    player_->setCount(steps.count());
    // Another walk restarts; the same one continues at its tile, whose step number may have changed with a mask.
    player_->setPosition(same_tiles && tile ? steps.stepOf(*tile).value_or(player_->position()) : 0);
    if (!steps.empty() && showsMap())
        canvas()->setDrawing(&drawing_);
    showStep();
}

void TileWalkView::refreshMaps() {
    const QString chosen = map_->currentData().toString();
    map_->clear();
    drawing_.map = {};
    drawing_.query.reset();
    drawing_.key.reset();
    if (drawing_.steps.empty())
        return;
    const Trace& trace = computed_->trace;
    const int head = std::max(0, headWithin(trace, view_.head()));
    const auto colored = [&](const char* name) -> std::optional<TileWalkDrawing::Colored> {
        const Stage* stage = trace.find(name);
        auto matrix = stage ? sliceOf(trace, *stage, view_.batch(), head) : std::nullopt;
        if (!matrix)
            return std::nullopt;
        return TileWalkDrawing::Colored{std::move(*matrix), scaleFor(trace, *stage, view_.batch(), {})};
    };
    for (const char* name : {"masked", "weights"})
        if (const Stage* stage = trace.find(name); stage && endsWithAxes(*stage, Axis::Query, Axis::Key))
            map_->addItem(stageWords(name), QString::fromLatin1(name));
    map_->setCurrentIndex(std::max(0, map_->findData(chosen)));
    if (auto map = colored(qPrintable(map_->currentData().toString())))
        drawing_.map = std::move(*map);
    drawing_.map.matrix.row_title.clear();
    drawing_.map.matrix.column_title.clear();
    if (auto query = colored("query"); query && query->matrix.view().rows == drawing_.steps.queries())
        drawing_.query = std::move(query);
    if (auto key = colored("key"); key && key->matrix.view().rows == drawing_.steps.keys())
        drawing_.key = TileWalkDrawing::Colored{transposed(key->matrix), key->scale};
    refreshColors();
}

/// One scale for all steps, so that equal numbers keep their colour: that of the finished rows, which is quick to
/// compute for any number of tiles.
void TileWalkView::refreshColors() {
    const auto& steps = drawing_.steps;
    if (steps.empty())
        return;
    drawing_.divided = divide_->isChecked();
    drawing_.step = steps.count() - 1;
    ValueRange sums, outputs;
    for (std::int64_t row = 0; row < steps.rowsReached(drawing_.step); ++row) {
        sums.include(steps.rowSum(row, drawing_.step));
        for (std::int64_t feature = 0; feature < steps.features(); ++feature)
            outputs.include(drawing_.outputAt(row, feature));
    }
    drawing_.sum_scale = colorScale({}, sums, false);
    drawing_.output_scale = colorScale({}, outputs, outputs.low < 0.0);
    drawing_.step = player_->position();
}

bool TileWalkView::showsMap() const {
    const auto view = drawing_.map.matrix.view();
    return view.rows == drawing_.steps.queries() && view.columns == drawing_.steps.keys();
}

void TileWalkView::showStep() {
    if (!walk()) {
        setWords({});
        return;
    }
    const auto& steps = drawing_.steps;
    drawing_.step = steps.empty() ? 0 : std::min(player_->position(), steps.count() - 1);
    drawing_.mark = view_.hovered() ? view_.hovered() : view_.pinned();
    const auto row = drawing_.mark ? std::optional<std::int64_t>(drawing_.mark->row) : std::nullopt;
    setWords(TileWalkDescription::ofStep(steps, drawing_.step, drawing_.map.matrix, row));
    canvas()->refresh();
}

std::shared_ptr<const Drawing> TileWalkView::picture() const {
    return drawing_.steps.empty() || !showsMap() ? nullptr : std::make_shared<TileWalkDrawing>(drawing_);
}

std::optional<DrawingSequence> TileWalkView::sequence() const {
    if (drawing_.steps.empty() || !showsMap())
        return std::nullopt;
    return DrawingSequence{drawing_.steps.count(), [drawing = drawing_](int index) {
                               auto frame = std::make_shared<TileWalkDrawing>(drawing);
                               frame->step = index;
                               return frame;
                           }};
}

bool TileWalkView::pressKey(int key) { return player_->pressKey(key); }

void TileWalkView::point(std::optional<QPointF> position) {
    if (drawing_.steps.empty() || !showsMap())
        return;
    view_.setHovered(position ? drawing_.cellAt(*position, canvas()->area(), canvas()->font()) : std::nullopt);
}

/// A click on a tile goes to the step that reads it.
void TileWalkView::click(QPointF position) {
    if (drawing_.steps.empty() || !showsMap())
        return;
    const auto cell = drawing_.cellAt(position, canvas()->area(), canvas()->font());
    if (!cell)
        return;
    showTile({cell->row / drawing_.steps.querySpan(0).count(), cell->column / drawing_.steps.keySpan(0).count()});
}

void TileWalkView::showTile(TileIndex tile) {
    if (const auto step = drawing_.steps.stepOf(tile)) {
        player_->pause();
        player_->setPosition(*step);
    }
}

namespace tile_walk_view {

ExhibitKind kind() {
    return {TileWalk::id, QT_TRANSLATE_NOOP("CentrePages", "Tiles"),
            [](ViewState& view) -> ExhibitPage* { return new TileWalkView(view); }};
}

} // namespace tile_walk_view

} // namespace attnlab::ui
