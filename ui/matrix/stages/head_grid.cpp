#include "ui/matrix/stages/head_grid.h"

#include "ui/matrix/stages/matrix_tile.h"
#include "ui/widgets/card.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/theme.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <numeric>

namespace attnlab::ui {
namespace {

constexpr int head_gap = 4;
constexpr int line_room = head_gap * 2 + 1;
constexpr int usual_heads = 4;  // in sight, where the room is not given
constexpr int widest_word = 84; // longer words of a translation are elided
const char* const head_property = "head";

} // namespace

HeadGrid::HeadGrid(QWidget* parent)
    : QWidget(parent), scroll_(new TileScroll(this)), mean_(makeTile(this, ViewState::mean_of_heads)) {
    mean_->hide();
    connect(scroll_->verticalScrollBar(), &QScrollBar::valueChanged, this, &HeadGrid::visibleHeadsChanged);
    // Only a laid out scroll bar can move to the selected head.
    connect(scroll_->verticalScrollBar(), &QScrollBar::rangeChanged, this, &HeadGrid::showSelected);
}

MatrixTile* HeadGrid::makeTile(QWidget* parent, int head) {
    auto* tile = new MatrixTile(parent);
    tile->setProperty(head_property, head);
    tile->installEventFilter(this);
    connect(tile, &MatrixTile::clicked, this, [this, tile] { choose(tile); });
    connect(tile, &MatrixTile::doubleClicked, this, [this, tile] {
        choose(tile);
        emit enlarged();
    });
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
        auto* tile = makeTile(scroll_->content(), head);
        showDetail(tile, head);
        tile->show();
        placeForTab(tiles_.empty() ? scroll_ : static_cast<QWidget*>(tiles_.back()), tile);
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
    rows_ = rows;
    columns_ = columns;
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
    const QRect sight = scroll_->sight().adjusted(0, -head_gap, 0, head_gap);
    return static_cast<int>(
        std::ranges::count_if(tiles_, [&](const MatrixTile* tile) { return !sight.contains(tile->geometry()); }));
}

void HeadGrid::showSelected() {
    if (selected_ >= 0 && selected_ < heads())
        scroll_->reveal(*tile(selected_), head_gap);
    emit visibleHeadsChanged();
}

void HeadGrid::setSelected(int head) {
    selected_ = head;
    const auto mark = [head](MatrixTile* tile) {
        const bool selected = tile->property(head_property).toInt() == head;
        tile->setChecked(selected);
        // One stop for Tab; the arrow keys move within.
        tile->setFocusPolicy(selected ? Qt::StrongFocus : Qt::ClickFocus);
    };
    std::for_each(tiles_.begin(), tiles_.end(), mark);
    mark(mean_);
    showSelected();
}

QSize HeadGrid::tileSize() const {
    const MatrixTile* any = tiles_.empty() ? mean_ : tiles_.back(); // the last head has the longest number
    const QSize picture = thumbnailWithin(rows_, columns_, picture_side);
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
    const QSize picture = thumbnailWithin(rows_, columns_, picture_side);
    const int tile_height = tileSize().height(), all = heightOf(heads());
    const int room = std::max(0, height() - meanHeight());
    const bool scrolls = all > room;
    const int tile_width = width() - (scrolls ? TileScroll::bar_width + head_gap / 2 : 0);
    scroll_->setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setGeometry(0, 0, width(), std::min(all, room));
    scroll_->content()->resize(tile_width, all);
    int y = 0;
    for (const int head : order_) {
        tile(head)->setPictureSize(picture);
        tile(head)->setGeometry(0, y, tile_width, tile_height);
        y += tile_height + head_gap;
    }
    if (showsMean()) {
        const int below = std::min(all, room) + head_gap;
        line_ = QRect(MatrixTile::padding, below, tile_width - 2 * MatrixTile::padding, 1);
        mean_->setPictureSize(picture);
        mean_->setGeometry(0, below + 1 + head_gap, tile_width, tile_height);
    }
    showSelected();
    update();
}

void HeadGrid::choose(MatrixTile* tile) {
    const int head = tile->property(head_property).toInt();
    setSelected(head); // clicking the selected one must not uncheck it
    emit chosen(head);
}

bool HeadGrid::moveFrom(MatrixTile* from, int key) {
    std::vector<MatrixTile*> row; // the mean follows the last head
    for (const int head : order_)
        row.push_back(tile(head));
    if (showsMean())
        row.push_back(mean_);
    const auto last = static_cast<std::ptrdiff_t>(row.size()) - 1;
    std::ptrdiff_t index = std::find(row.begin(), row.end(), from) - row.begin();
    if (key == Qt::Key_Right || key == Qt::Key_Down)
        ++index;
    else if (key == Qt::Key_Left || key == Qt::Key_Up)
        --index;
    else if (key == Qt::Key_Home)
        index = 0;
    else if (key == Qt::Key_End)
        index = last;
    else
        return false;
    if (index < 0 || index > last)
        return true;
    MatrixTile* target = row[static_cast<std::size_t>(index)];
    choose(target);
    target->setFocus(Qt::TabFocusReason);
    return true;
}

bool HeadGrid::eventFilter(QObject* watched, QEvent* event) {
    auto* from = qobject_cast<MatrixTile*>(watched);
    if (!from || event->type() != QEvent::KeyPress || heads() == 0)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        choose(from);
        emit enlarged();
        return true;
    }
    return moveFrom(from, key) || QWidget::eventFilter(watched, event);
}

void HeadGrid::paintEvent(QPaintEvent*) {
    if (line_.isValid())
        QPainter(this).fillRect(line_, theme().border);
}

void HeadGrid::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    relayout();
}

void HeadGrid::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        relayout();
}

} // namespace attnlab::ui
