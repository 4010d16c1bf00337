// Where the maps of a LayerGrid are.
#include "ui/matrix/stages/layer_grid.h"
#include "ui/matrix/stages/tile_scroll.h"

#include <QLabel>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int layer_gap = 4, column_gap = 2;
constexpr int thinnest_map = 14; // so that there is something to click

} // namespace

/// One size of cells for all maps: `side` is the longest side of the largest.
QSize LayerGrid::pictureOf(const Row& row, int side) const {
    int largest = 1;
    for (const auto& other : rows_)
        largest = std::max({largest, other.shape.width(), other.shape.height()});
    const auto length = [&](int cells) { return std::max(thinnest_map, qRound(double(side) * cells / largest)); };
    return {length(row.shape.width()), length(row.shape.height())};
}

int LayerGrid::columnWidth(int side) const {
    int width = 0;
    for (const auto& row : rows_)
        width = std::max(width, pictureOf(row, side).width());
    return width + MatrixTile::padding * 2 + column_gap;
}

int LayerGrid::titleHeight() const { return QFontMetrics(font()).height(); }

QSize LayerGrid::sizeWith(int side) const {
    int height = columns_.empty() ? 0 : titleHeight();
    for (const auto& row : rows_)
        height += titleHeight() + pictureOf(row, side).height() + MatrixTile::padding * 2 + layer_gap;
    return {widestRow() * columnWidth(side) - column_gap, std::max(0, height - layer_gap)};
}

void LayerGrid::relayout() {
    scroll_->setGeometry(rect());
    if (rows_.empty())
        return;
    int side = largest_map;
    for (; side > smallest_map; --side)
        if (const QSize all = sizeWith(side); all.width() <= width() && all.height() <= height())
            break;
    const QSize all = sizeWith(side);
    const int column_width = columnWidth(side), line = titleHeight();
    const int bar = all.height() > height() ? TileScroll::bar_width : 0;
    const int content_width = std::max(all.width(), width() - bar);
    int y = 0;
    for (std::size_t column = 0; column < columns_.size(); ++column)
        columns_[column]->setGeometry(static_cast<int>(column) * column_width, y, column_width - column_gap, line);
    if (!columns_.empty())
        y += line;
    for (const auto& row : rows_) {
        row.title->setGeometry(MatrixTile::padding, y, content_width - MatrixTile::padding, line);
        y += line;
        const QSize picture = pictureOf(row, side);
        const int height = picture.height() + MatrixTile::padding * 2;
        for (std::size_t column = 0; column < row.tiles.size(); ++column) {
            // The mean is in the last column, however many heads this layer has.
            const bool mean = headAt(row, column) == ViewState::mean_of_heads;
            const int place = mean ? widestRow() - 1 : static_cast<int>(column);
            row.tiles[column]->setPictureSize(picture);
            row.tiles[column]->setGeometry(place * column_width, y, column_width - column_gap, height);
        }
        y += height + layer_gap;
    }
    scroll_->content()->resize(content_width, all.height());
    revealChosen();
}

void LayerGrid::revealChosen() {
    for (const auto& row : rows_)
        for (const auto* one : row.tiles)
            if (one->isChecked())
                scroll_->reveal(*one, layer_gap);
}

QSize LayerGrid::sizeHint() const { return sizeWith(usual_map); }

QSize LayerGrid::minimumSizeHint() const {
    const QSize all = sizeWith(smallest_map);
    return {std::min(all.width(), 5 * columnWidth(smallest_map)), std::min(all.height(), 120)};
}

} // namespace attnlab::ui
