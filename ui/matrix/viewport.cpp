#include "ui/matrix/viewport.h"

#include <algorithm>
#include <cmath>
#include <QPainter>
#include <QPen>

namespace attnlab::ui {

void Viewport::setShape(std::int64_t rows, std::int64_t columns) {
    if (rows == rows_ && columns == columns_)
        return;
    rows_ = rows;
    columns_ = columns;
    fit();
}

void Viewport::setRoom(const QRectF& room, const QSizeF& fitted, double pixel) {
    const double before = std::sqrt(cellWidth() * cellHeight());
    room_ = room;
    fitted_ = fitted.expandedTo({1e-9, 1e-9});
    pixel_ = pixel;
    if (isFitted())
        return fit();
    setZoom(position_.zoom * before / std::sqrt(cellWidth() * cellHeight())); // cells keep their size
    clamp();
}

double Viewport::largestCell() const { return std::max(1.0, std::min(room_.width(), room_.height()) / 2.0); }

double Viewport::enlarged(double fitted) const {
    return std::min(fitted * position_.zoom, std::max(fitted, largestCell()));
}

double Viewport::largestZoom() const {
    return std::max(1.0, largestCell() / std::min(fitted_.width(), fitted_.height()));
}

void Viewport::setZoom(double zoom) { position_.zoom = std::clamp(zoom, 1.0, largestZoom()); }

QSizeF Viewport::fittedSize() const {
    return {fitted_.width() * static_cast<double>(columns_), fitted_.height() * static_cast<double>(rows_)};
}

HeatmapFrame Viewport::frame() const {
    if (rows_ == 0 || columns_ == 0)
        return {};
    struct Side {
        double start, length, first, count; ///< pixels, and the cells there
    };
    const auto side_of = [this](double start, double length, double cell, std::int64_t cells, double centre,
                                double share_before) {
        const auto all = static_cast<double>(cells);
        if (cell * all <= length * (1.0 + 1e-9)) {
            const double from = start + (length - cell * all) * share_before;
            return Side{pixel_ > 0.0 ? std::round(from / pixel_) * pixel_ : from, cell * all, 0.0, all};
        }
        const double count = length / cell;
        return Side{start, length, std::clamp(centre - count / 2.0, 0.0, all - count), count};
    };
    const auto x = side_of(room_.left(), room_.width(), cellWidth(), columns_, position_.centre.x(), 0.5);
    const auto y = side_of(room_.top(), room_.height(), cellHeight(), rows_, position_.centre.y(), at_top_ ? 0.0 : 0.5);
    return {QRectF(x.start, y.start, x.length, y.length), QRectF(x.first, y.first, x.count, y.count)};
}

void Viewport::fit() { position_ = {1.0, {static_cast<double>(columns_) / 2.0, static_cast<double>(rows_) / 2.0}}; }

void Viewport::zoom(double factor, const QPointF& fixed) {
    if (rows_ == 0 || columns_ == 0 || !(factor > 0.0))
        return;
    const QPointF cell = frame().toCells(fixed);
    setZoom(position_.zoom * factor);
    clamp();
    position_.centre += cell - frame().toCells(fixed);
    clamp();
}

void Viewport::pan(const QPointF& pixels) {
    centreOn(position_.centre - QPointF(pixels.x() / cellWidth(), pixels.y() / cellHeight()));
}

void Viewport::centreOn(const QPointF& cell) {
    position_.centre = cell;
    clamp();
}

void Viewport::show(Cell cell) {
    const QRectF seen = frame().range;
    const auto pull = [](double start, double size, int index) {
        return std::max(std::min(start, static_cast<double>(index)), index + 1.0 - size);
    };
    const QPointF start(pull(seen.left(), seen.width(), cell.column), pull(seen.top(), seen.height(), cell.row));
    if (start != seen.topLeft())
        centreOn(start + QPointF(seen.width(), seen.height()) / 2.0);
}

void Viewport::showLarge(Cell cell, double least) {
    setZoom(std::max(position_.zoom, least / std::min(fitted_.width(), fitted_.height())));
    centreOn({cell.column + 0.5, cell.row + 0.5});
}

void Viewport::showCells(const QRectF& cells) {
    // A side whose cells are already large enough does not limit the other.
    const auto zoom_for = [&](double pixels, double count, double fitted) {
        return fitted >= largestCell() ? largestZoom() : pixels / std::max(count, 1.0) / fitted;
    };
    setZoom(std::min(zoom_for(room_.width(), cells.width(), fitted_.width()),
                     zoom_for(room_.height(), cells.height(), fitted_.height())));
    centreOn(cells.center());
}

void Viewport::setPosition(const ViewPosition& position) {
    setZoom(position.zoom);
    centreOn(position.centre);
}

/// Avoids empty space beside a matrix that could fill it.
void Viewport::clamp() {
    const auto within = [](double centre, double seen, std::int64_t cells) {
        const auto all = static_cast<double>(cells);
        return seen >= all ? all / 2.0 : std::clamp(centre, seen / 2.0, all - seen / 2.0);
    };
    position_.centre = {within(position_.centre.x(), room_.width() / cellWidth(), columns_),
                        within(position_.centre.y(), room_.height() / cellHeight(), rows_)};
}

namespace {

constexpr double minimap_size = 120.0, minimap_gap = 8.0;
constexpr std::int64_t minimap_from = 32; ///< rows or columns

bool isUseful(const Viewport& viewport) {
    const QSizeF body = viewport.frame().body.size();
    return !viewport.isFitted() && std::max(viewport.rows(), viewport.columns()) > minimap_from &&
           body.width() > 3 * minimap_size && body.height() > 2 * minimap_size;
}

} // namespace

Minimap::Minimap(const Viewport& viewport, const HeatmapLayout& layout)
    : cells_(static_cast<double>(viewport.columns()), static_cast<double>(viewport.rows())) {
    if (!isUseful(viewport))
        return;
    const QRectF body = viewport.frame().body;
    HeatmapLayout at = layout;
    at.setBody(body);
    const auto fitting = [&](double most) { return viewport.fittedSize().scaled(most, most, Qt::KeepAspectRatio); };
    if (at.color_bar.isEmpty()) {
        const QSizeF size = fitting(minimap_size);
        place_ = {body.topRight() + QPointF(-minimap_gap - size.width(), minimap_gap), size};
        return;
    }
    const double left = (at.row_profile.isEmpty() ? body.right() : at.row_profile.right()) + minimap_gap;
    const QSizeF size = fitting(std::min(minimap_size, at.color_bar.right() - left));
    place_ = {QPointF(left, body.bottom() - size.height()), size};
}

double Minimap::endOfColorBar() const { return place_.top() - 2 * minimap_gap; }

QPointF Minimap::cellAt(const QPointF& position) const {
    return {(position.x() - place_.left()) / place_.width() * cells_.width(),
            (position.y() - place_.top()) / place_.height() * cells_.height()};
}

void Minimap::paint(QPainter& painter, const MatrixSource& source, const VisibleMatrix& sight) const {
    painter.save();
    painter.fillRect(place_, sight.look.hatch_back);
    source.paintWhole(painter, place_, sight);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(sight.look.card, 3));
    painter.drawRect(place_);
    const QRectF& seen = sight.frame.range;
    const double x = place_.width() / cells_.width(), y = place_.height() / cells_.height();
    QRectF window(place_.left() + seen.left() * x, place_.top() + seen.top() * y, seen.width() * x, seen.height() * y);
    if (window.width() < 4 || window.height() < 4)
        window = QRectF(window.center() - QPointF(2, 2), QSizeF(4, 4));
    painter.setPen(QPen(sight.look.pin, 2));
    painter.drawRect(window);
    painter.restore();
}

} // namespace attnlab::ui
