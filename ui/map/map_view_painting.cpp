// How the parts of a MapView are painted.
#include "ui/map/map_colors.h"
#include "ui/map/map_view.h"
#include "ui/plot/color_bar.h"
#include "ui/plot/heatmap_layout.h"
#include "ui/plot/matrix_image.h"
#include "ui/plot/round_step.h"
#include "ui/text.h"
#include "ui/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr double map_gap = 8.0, profile_size = 40.0, minimap_size = 120.0;
constexpr double telling_number = 46.0; ///< pixels that a cell needs for its number

/// Weights of a long row are small: of those, digits count from the first that is not 0.
QString weightText(double weight) {
    return numberText(weight, weight < 1e-3 && weight >= 1e-4 ? 6 : weight < 1e-2 && weight >= 1e-4 ? 5 : 3);
}

double largestOf(const std::vector<double>& values) {
    double top = 0.0;
    for (const double value : values)
        top = std::isfinite(value) ? std::max(top, value) : top;
    return top;
}

void paintEdge(QPainter& painter, const QRectF& map) {
    painter.setPen(theme().border);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(map.adjusted(-0.5, -0.5, 0.5, 0.5));
}

} // namespace

void MapView::layOut() {
    const QFontMetricsF metrics(labelFont(font()));
    const double bar = colorBarWidth(scale_, labelFont(font()), height());
    const double left = metrics.horizontalAdvance(QString::number(frame_.rows())) + 3 * map_gap;
    const double top = metrics.height() + map_gap;
    const double right = map_gap + profile_size + 2 * map_gap + bar;
    frame_.setBody(QRectF(rect()).adjusted(left, top, -right, -(map_gap + profile_size + 2)));
}

/// Some of its tiles have colours.
bool MapView::hasTiles() const {
    const auto pyramid = session_.pyramid();
    return pyramid && !images_.covering({pyramid->top_level(), 0, 0}).second.isNull();
}

void MapView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (!hasTiles() && images_.parts().empty()) {
        painter.setPen(theme().muted);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, message_);
        return;
    }
    if (picture_.isNull() || picture_.devicePixelRatioF() != devicePixelRatioF())
        renderPicture();
    painter.drawPixmap(0, 0, picture_);
    paintMarks(painter);
}

/// Everything but cursor and pin, which move while the rest stays.
void MapView::renderPicture() {
    picture_ = QPixmap(size() * devicePixelRatioF());
    picture_.setDevicePixelRatio(devicePixelRatioF());
    picture_.fill(Qt::transparent);
    QPainter painter(&picture_);
    painter.setFont(font());
    if (hasTiles()) {
        paintTiles(painter);
        paintNumbers(painter);
        paintProfiles(painter);
    } else {
        paintParts(painter);
    }
    paintLabels(painter);
    const QRectF body = frame_.mapRect() & frame_.body();
    const QRectF bar(body.right() + 3 * map_gap + profile_size, body.top(), width() - body.right(), body.height());
    paintColorBar(painter, bar, scale_, labelFont(font()), theme());
    if (showsMinimap())
        paintMinimap(painter);
}

/// With edges between pixels, so that tiles leave no gap between them.
QRectF MapView::onPixels(const QRectF& place) const {
    const auto edge = [ratio = devicePixelRatioF()](double at) { return std::round(at * ratio) / ratio; };
    QRectF moved;
    moved.setCoords(edge(place.left()), edge(place.top()), edge(place.right()), edge(place.bottom()));
    return moved;
}

/// The bins of some of the cells of a grid. Bins at the end may stand for fewer cells than the others: places are told
/// by cells.
void MapView::paintBins(QPainter& painter, const QImage& image, const BinGrid& grid, const CellRect& cells) const {
    const auto high = static_cast<double>(grid.bin_rows), wide = static_cast<double>(grid.bin_columns);
    const QRectF part(static_cast<double>(cells.first_column - grid.cells.first_column) / wide,
                      static_cast<double>(cells.first_row - grid.cells.first_row) / high,
                      static_cast<double>(cells.columns()) / wide, static_cast<double>(cells.rows()) / high);
    painter.drawImage(onPixels(frame_.rectOf(cells)), image, part);
}

/// Each tile, or the part of the nearest coarser one that is there.
void MapView::paintTiles(QPainter& painter) const {
    const auto pyramid = session_.pyramid();
    const QRectF seen = frame_.mapRect() & frame_.body();
    painter.save();
    painter.setClipRect(seen);
    paintHatch(painter, seen);
    for (const auto& tile : pyramid->tiles_over(level(), frame_.visibleCells())) {
        const auto [shown, image] = images_.covering(tile);
        if (!image.isNull())
            paintBins(painter, image, pyramid->grid(shown), pyramid->grid(tile).cells);
    }
    painter.restore();
    paintEdge(painter, seen);
}

/// Before there are tiles: the rows that have been computed.
void MapView::paintParts(QPainter& painter) const {
    const QRectF seen = frame_.mapRect() & frame_.body();
    painter.save();
    painter.setClipRect(seen);
    for (const auto& [part, image, colors] : images_.parts()) {
        const BinGrid& grid = part->grid;
        paintHatch(painter, onPixels(frame_.rectOf(grid.cells)));
        paintBins(painter, image, grid, grid.cells);
    }
    painter.restore();
    paintEdge(painter, seen);
}

void MapView::paintNumbers(QPainter& painter) const {
    if (std::min(frame_.cellWidth(), frame_.cellHeight()) < telling_number)
        return;
    const auto pyramid = session_.pyramid();
    painter.save();
    painter.setClipRect(frame_.body());
    painter.setFont(labelFont(font()));
    for (const auto& tile : pyramid->tiles_over(0, frame_.visibleCells())) {
        const auto bins = pyramid->find(tile);
        if (!bins)
            continue;
        const CellRect all = pyramid->grid(tile).cells, seen = frame_.visibleCells();
        for (auto row = std::max(all.first_row, seen.first_row); row < std::min(all.last_row, seen.last_row); ++row) {
            for (auto column = std::max(all.first_column, seen.first_column);
                 column < std::min(all.last_column, seen.last_column); ++column) {
                const auto bin = bins->index(row - all.first_row, column - all.first_column);
                const double weight = binValue(*bins, bin, session_.choice().pool);
                if (bins->masked(bin))
                    continue;
                const QRgb back = std::isnan(weight) ? theme().warning_soft.rgb() : scale_.color(weight);
                painter.setPen(qGray(back) > 128 ? Qt::black : Qt::white);
                painter.drawText(frame_.rectOf(Cell{static_cast<int>(row), static_cast<int>(column)}), Qt::AlignCenter,
                                 weightText(weight));
            }
        }
    }
    painter.restore();
}

/// Tokens where every cell has room for its label, else every second, fifth, tenth ... number.
void MapView::paintLabels(QPainter& painter) const {
    const QFont small = labelFont(font());
    const QFontMetricsF metrics(small);
    painter.save();
    painter.setFont(small);
    painter.setPen(theme().muted);
    const QRectF body = frame_.mapRect() & frame_.body();
    const CellRect seen = frame_.visibleCells();
    const auto row_step = wholeRoundStep(metrics.height() * 1.3 / frame_.cellHeight());
    for (auto row = (seen.first_row + row_step - 1) / row_step * row_step; row < seen.last_row; row += row_step) {
        const QRectF cell = frame_.rectOf(Cell{static_cast<int>(row), 0});
        const double y = row_step == 1 ? cell.center().y() : cell.top();
        if (y < body.top() - 1 || y > body.bottom() + 1)
            continue;
        const QString text = row_step == 1 ? labelOf(row_labels_, row) : QString::number(row);
        painter.drawText(QRectF(0, y - metrics.height() / 2, body.left() - map_gap, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(text, Qt::ElideRight, body.left() - map_gap));
    }
    const double widest = metrics.horizontalAdvance(QString::number(frame_.columns())) + 2 * map_gap;
    const auto column_step = wholeRoundStep(widest / frame_.cellWidth());
    for (auto column = (seen.first_column + column_step - 1) / column_step * column_step; column < seen.last_column;
         column += column_step) {
        const QRectF cell = frame_.rectOf(Cell{0, static_cast<int>(column)});
        const double x = column_step == 1 ? cell.center().x() : cell.left();
        if (x < body.left() - 1 || x > body.right() + 1)
            continue;
        const QString text = column_step == 1 ? labelOf(column_labels_, column) : QString::number(column);
        painter.drawText(QRectF(x - widest / 2, body.top() - metrics.height() - 2, widest, metrics.height()),
                         Qt::AlignHCenter | Qt::AlignBottom, metrics.elidedText(text, Qt::ElideRight, widest));
    }
    painter.restore();
}

void MapView::paintProfiles(QPainter& painter) const {
    const MapProfiles& all = images_.profiles();
    const QRectF body = frame_.mapRect() & frame_.body();
    const auto high = static_cast<double>(all.bin_rows), wide = static_cast<double>(all.bin_columns);
    const auto bin = [](std::int64_t first, std::size_t i) {
        return static_cast<double>(first + static_cast<std::int64_t>(i));
    };
    painter.save();
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().accent);
    QVector<QRectF> bars;
    const double right = body.right() + map_gap, below = body.bottom() + map_gap;
    if (const double top = largestOf(all.rows); top > 0.0)
        for (std::size_t i = 0; i < all.rows.size(); ++i)
            if (all.rows[i] > 0.0) {
                const QRectF place = frame_.rectOf(QRectF(0, bin(all.first_row, i) * high, 1, high));
                bars << QRectF(right, place.top(), profile_size * all.rows[i] / top, place.height());
            }
    painter.setClipRect(QRectF(right, body.top(), profile_size, body.height()));
    painter.drawRects(bars);
    bars.clear();
    if (const double top = largestOf(all.columns); top > 0.0)
        for (std::size_t i = 0; i < all.columns.size(); ++i)
            if (all.columns[i] > 0.0) {
                const QRectF place = frame_.rectOf(QRectF(bin(all.first_column, i) * wide, 0, wide, 1));
                bars << QRectF(place.left(), below, place.width(), profile_size * all.columns[i] / top);
            }
    painter.setClipRect(QRectF(body.left(), below, body.width(), profile_size));
    painter.drawRects(bars);
    painter.restore();
}

void MapView::paintMarks(QPainter& painter) const {
    painter.save();
    QRegion map(frame_.body().toAlignedRect());
    if (showsMinimap())
        map -= QRegion(minimapRect().adjusted(-2, -2, 2, 2).toAlignedRect());
    painter.setClipRegion(map);
    painter.setBrush(Qt::NoBrush);
    const auto mark = [&](const std::optional<Cell>& cell, const QColor& color, double least) {
        if (!cell)
            return;
        QRectF place = frame_.rectOf(*cell);
        if (place.width() < least || place.height() < least) // a dot that can be seen
            place = QRectF(place.center() - QPointF(least, least) / 2, QSizeF(least, least));
        painter.setPen(QPen(color, 2));
        painter.drawRect(place);
    };
    if (crosshair_) {
        const QRectF place = frame_.rectOf(*crosshair_);
        QColor line = theme().accent;
        line.setAlpha(140);
        painter.setPen(QPen(line, 1));
        const QRectF body = frame_.mapRect() & frame_.body();
        painter.drawLine(QPointF(body.left(), place.center().y()), QPointF(body.right(), place.center().y()));
        painter.drawLine(QPointF(place.center().x(), body.top()), QPointF(place.center().x(), body.bottom()));
    }
    mark(crosshair_, theme().accent, 5.0);
    mark(pinned_, theme().pin, 8.0);
    painter.restore();
    if (hasFocus()) {
        painter.setPen(QPen(theme().accent, 1));
        painter.drawRect(QRectF(rect()).adjusted(0, 0, -1, -1));
    }
}

bool MapView::showsMinimap() const {
    return session_.pyramid() && !frame_.isFitted() && frame_.body().width() > 3 * minimap_size &&
           frame_.body().height() > 2 * minimap_size;
}

QRectF MapView::minimapRect() const {
    const QSizeF size = frame_.fittedSize().scaled(minimap_size, minimap_size, Qt::KeepAspectRatio);
    return {frame_.body().topRight() + QPointF(-map_gap - size.width(), map_gap), size};
}

void MapView::paintMinimap(QPainter& painter) const {
    const auto pyramid = session_.pyramid();
    const MapTile whole{pyramid->top_level(), 0, 0};
    const QRectF place = minimapRect();
    painter.save();
    painter.fillRect(place, theme().hatch_back);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const BinGrid grid = pyramid->grid(whole);
    painter.drawImage(place, images_.covering(whole).second,
                      QRectF(0, 0, static_cast<double>(grid.cells.columns()) / static_cast<double>(grid.bin_columns),
                             static_cast<double>(grid.cells.rows()) / static_cast<double>(grid.bin_rows)));
    painter.setPen(QPen(theme().card, 3));
    painter.drawRect(place);
    const QRectF seen = frame_.visible();
    const double x = place.width() / static_cast<double>(frame_.columns());
    const double y = place.height() / static_cast<double>(frame_.rows());
    QRectF window(place.left() + seen.left() * x, place.top() + seen.top() * y, seen.width() * x, seen.height() * y);
    if (window.width() < 4 || window.height() < 4)
        window = QRectF(window.center() - QPointF(2, 2), QSizeF(4, 4));
    painter.setPen(QPen(theme().pin, 2));
    painter.drawRect(window);
    painter.restore();
}

bool MapView::dragMinimap(const QPointF& position) {
    const QRectF place = minimapRect();
    if (drag_ != Drag::Minimap && (!showsMinimap() || !place.contains(position)))
        return false;
    frame_.centreOn({(position.x() - place.left()) / place.width() * static_cast<double>(frame_.columns()),
                     (position.y() - place.top()) / place.height() * static_cast<double>(frame_.rows())});
    refresh();
    return true;
}

} // namespace attnlab::ui
