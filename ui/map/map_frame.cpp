#include "ui/map/map_frame.h"

#include <algorithm>
#include <cmath>

namespace attnlab::ui {

void MapFrame::setMap(std::int64_t rows, std::int64_t columns) {
    if (rows == rows_ && columns == columns_)
        return;
    rows_ = std::max<std::int64_t>(1, rows);
    columns_ = std::max<std::int64_t>(1, columns);
    fit();
}

void MapFrame::setBody(const QRectF& body) {
    const double before = cellWidth() * cellHeight();
    const bool fitted = isFitted();
    body_ = QRectF(body.topLeft(), body.size().expandedTo({1, 1}));
    if (fitted)
        return fit();
    setZoom(zoom_ * std::sqrt(before / (cellWidth() * cellHeight()))); // cells stay as large as they were
    clamp();
}

/// Size of a cell with everything in sight.
QSizeF MapFrame::fitted() const {
    const QSizeF filling(body_.width() / static_cast<double>(columns_), body_.height() / static_cast<double>(rows_));
    if (std::max(rows_, columns_) / std::min(rows_, columns_) >= MapPyramid::most_unequal)
        return filling; // square cells would leave a thin strip
    const double side = std::min({filling.width(), filling.height(), largest_cell});
    return {side, side};
}

double MapFrame::largestZoom() const {
    const QSizeF cell = fitted();
    return std::max(1.0, largest_cell / std::min(cell.width(), cell.height()));
}

void MapFrame::fit() {
    zoom_ = 1.0;
    centre_ = {static_cast<double>(columns_) / 2.0, static_cast<double>(rows_) / 2.0};
}

void MapFrame::zoom(double factor, const QPointF& fixed) {
    const QPointF cell = toCells(fixed);
    setZoom(zoom_ * factor);
    centre_ += cell - toCells(fixed);
    clamp();
}

void MapFrame::pan(const QPointF& pixels) {
    centre_ -= QPointF(pixels.x() / cellWidth(), pixels.y() / cellHeight());
    clamp();
}

void MapFrame::showCells(const QRectF& cells) {
    // A side whose cells are large enough as it is does not hold the other back.
    const auto wanted = [&](double pixels, double count, double cell) {
        return cell >= largest_cell ? largestZoom() : pixels / std::max(count, 1.0) / cell;
    };
    const QSizeF cell = fitted();
    setZoom(std::min(wanted(body_.width(), cells.width(), cell.width()),
                     wanted(body_.height(), cells.height(), cell.height())));
    centreOn(cells.center());
}

void MapFrame::showCell(Cell cell, double least) {
    const QSizeF size = fitted();
    setZoom(std::max(zoom_, least / std::min(size.width(), size.height())));
    centreOn({cell.column + 0.5, cell.row + 0.5});
}

void MapFrame::centreOn(const QPointF& cell) {
    centre_ = cell;
    clamp();
}

/// No empty space beside a map that could fill it.
void MapFrame::clamp() {
    const auto within = [](double centre, double seen, double all) {
        return seen >= all ? all / 2.0 : std::clamp(centre, seen / 2.0, all - seen / 2.0);
    };
    centre_ = {within(centre_.x(), body_.width() / cellWidth(), static_cast<double>(columns_)),
               within(centre_.y(), body_.height() / cellHeight(), static_cast<double>(rows_))};
}

QPointF MapFrame::toCells(const QPointF& pixels) const {
    const QPointF away = pixels - body_.center();
    return centre_ + QPointF(away.x() / cellWidth(), away.y() / cellHeight());
}

QRectF MapFrame::rectOf(const QRectF& cells) const {
    const QPointF away = cells.topLeft() - centre_;
    return {body_.center() + QPointF(away.x() * cellWidth(), away.y() * cellHeight()),
            QSizeF(cells.width() * cellWidth(), cells.height() * cellHeight())};
}

QRectF MapFrame::rectOf(const CellRect& cells) const {
    return rectOf(QRectF(static_cast<double>(cells.first_column), static_cast<double>(cells.first_row),
                         static_cast<double>(cells.columns()), static_cast<double>(cells.rows())));
}

QRectF MapFrame::visible() const {
    return QRectF(toCells(body_.topLeft()), toCells(body_.bottomRight())) &
           QRectF(0, 0, static_cast<double>(columns_), static_cast<double>(rows_));
}

CellRect MapFrame::visibleCells() const {
    const QRectF seen = visible();
    const auto down = [](double value) { return static_cast<std::int64_t>(std::floor(value)); };
    const auto up = [](double value) { return static_cast<std::int64_t>(std::ceil(value)); };
    return {std::clamp<std::int64_t>(down(seen.top()), 0, rows_), std::clamp<std::int64_t>(up(seen.bottom()), 0, rows_),
            std::clamp<std::int64_t>(down(seen.left()), 0, columns_),
            std::clamp<std::int64_t>(up(seen.right()), 0, columns_)};
}

std::optional<Cell> MapFrame::cellAt(const QPointF& pixels) const {
    const QPointF cell = toCells(pixels);
    if (!body_.contains(pixels) || cell.x() < 0 || cell.y() < 0 || cell.x() >= static_cast<double>(columns_) ||
        cell.y() >= static_cast<double>(rows_))
        return std::nullopt;
    return Cell{static_cast<int>(cell.y()), static_cast<int>(cell.x())};
}

} // namespace attnlab::ui
