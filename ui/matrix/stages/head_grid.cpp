#include "ui/matrix/stages/head_grid.h"

#include "ui/widgets/layouts.h"
#include "ui/widgets/theme.h"

#include <QPainter>
#include <QScrollBar>
#include <QStyle>

#include <algorithm>
#include <numeric>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr int head_gap = 4;
constexpr int line_room = head_gap * 2 + 1;
constexpr int usual_heads = 4;  // in sight, where the room is not given
constexpr int widest_word = 84; // longer words of a translation are elided

} // namespace

HeadGrid::HeadGrid(QWidget* parent) : ThumbnailGrid(parent), mean_(makeTile(this)) {
    mean_->hide();
    connect(scroll()->verticalScrollBar(), &QScrollBar::valueChanged, this, &HeadGrid::visibleHeadsChanged);
    connect(scroll()->verticalScrollBar(), &QScrollBar::rangeChanged, this, &HeadGrid::visibleHeadsChanged);
}

MatrixTile* HeadGrid::makeTile(QWidget* parent) {
    auto* tile = addTile(parent);
    connect(tile, &MatrixTile::cellHovered, this, &HeadGrid::cellHovered);
    return tile;
}

void HeadGrid::setHeads(int count) {
    if (count == heads())
        return;
    while (heads() > count) {
        removeSafely(tiles_.back());
        tiles_.pop_back();
    }
    while (heads() < count) {
        const int head = heads();
        auto* tile = makeTile(content());
        showDetail(tile, head);
        tiles_.push_back(tile);
    }
    mean_->setVisible(showsMean());
    order_.resize(static_cast<std::size_t>(count));
    std::iota(order_.begin(), order_.end(), 0);
    relayout();
    updateGeometry();
}

MatrixTile* HeadGrid::tile(int head) const {
    if (head == ViewState::mean_of_heads)
        return mean_;
    return head >= 0 && head < heads() ? tiles_[static_cast<std::size_t>(head)] : nullptr;
}

void HeadGrid::setMeanShown(bool shown) {
    mean_shown_ = shown;
    mean_->setVisible(showsMean());
    relayout();
    updateGeometry();
}

void HeadGrid::setMapShape(std::int64_t rows, std::int64_t columns) {
    map_rows_ = rows;
    map_columns_ = columns;
    relayout();
    updateGeometry();
}

void HeadGrid::setOrder(std::vector<int> order) {
    order_ = std::move(order);
    relayout();
}

void HeadGrid::setDetail(Detail detail, const QStringList& samples) {
    detail_ = std::move(detail);
    samples_ = samples;
    for (int head = 0; head < heads(); ++head)
        showDetail(tile(head), head);
    relayout();
    updateGeometry();
}

void HeadGrid::showDetail(MatrixTile* tile, int head) {
    if (detail_)
        tile->setDetail([this, head] { return detail_(head); });
}

int HeadGrid::hidden() const {
    const QRect sight = scroll()->sight().adjusted(0, -head_gap, 0, head_gap);
    return static_cast<int>(
        std::ranges::count_if(tiles_, [&](const MatrixTile* tile) { return !sight.contains(tile->geometry()); }));
}

void HeadGrid::setSelected(int head) {
    setChosenTile(tile(head));
    emit visibleHeadsChanged();
}

QSize HeadGrid::tileSize() const {
    const MatrixTile* any = tiles_.empty() ? mean_ : tiles_.back(); // the last head has the longest number
    const QSize picture = thumbnailWithin(map_rows_, map_columns_, picture_side);
    int text = std::max(any->titleWidth(), showsMean() ? mean_->titleWidth() : 0);
    for (const auto& words : samples_)
        text = std::max(text, std::min(any->detailWidth(words), widest_word));
    return {MatrixTile::widthWith(picture_side, text),
            std::max(picture.height(), any->textHeight()) + MatrixTile::padding * 2};
}

int HeadGrid::heightOf(int heads) const { return std::max(0, heads * (tileSize().height() + head_gap) - head_gap); }
int HeadGrid::meanHeight() const { return showsMean() ? line_room + tileSize().height() : 0; }

QSize HeadGrid::sizeHint() const {
    return {tileSize().width() + TileScroll::bar_width + head_gap / 2,
            heightOf(std::min(heads(), usual_heads)) + meanHeight()};
}
QSize HeadGrid::minimumSizeHint() const { return {sizeHint().width(), heightOf(std::min(heads(), 1)) + meanHeight()}; }

void HeadGrid::relayout() {
    line_ = QRect();
    const QSize picture = thumbnailWithin(map_rows_, map_columns_, picture_side);
    const int tile_height = tileSize().height(), all = heightOf(heads());
    const int room = std::max(0, height() - meanHeight());
    const bool scrolls = all > room;
    const int tile_width = width() - (scrolls ? TileScroll::bar_width + head_gap / 2 : 0);
    scroll()->setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    scroll()->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll()->setGeometry(0, 0, width(), std::min(all, room));
    content()->resize(tile_width, all);
    int y = 0;
    Rows rows; // the mean follows the last head
    for (const int head : order_) {
        tile(head)->setPictureSize(picture);
        place(*tile(head), {0, y, tile_width, tile_height});
        y += tile_height + head_gap;
        rows.push_back({tile(head)});
    }
    if (showsMean()) {
        rows.push_back({mean_});
        const int below = std::min(all, room) + head_gap;
        line_ = QRect(MatrixTile::padding, below, tile_width - 2 * MatrixTile::padding, 1);
        mean_->setPictureSize(picture);
        place(*mean_, {0, below + 1 + head_gap, tile_width, tile_height});
    }
    setRows(std::move(rows));
    revealChosen();
    emit visibleHeadsChanged();
    update();
}

void HeadGrid::chooseTile(MatrixTile& tile) {
    const auto at = std::ranges::find(tiles_, &tile);
    const int head = at == tiles_.end() ? ViewState::mean_of_heads : static_cast<int>(at - tiles_.begin());
    setSelected(head);
    emit chosen(head);
}

void HeadGrid::paintEvent(QPaintEvent*) {
    if (line_.isValid())
        QPainter(this).fillRect(QStyle::visualRect(layoutDirection(), rect(), line_), theme().border);
}

} // namespace attnlab::ui
