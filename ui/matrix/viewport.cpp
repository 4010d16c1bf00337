#include "ui/matrix/viewport.h"

#include <algorithm>
#include <cmath>

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

} // namespace attnlab::ui
