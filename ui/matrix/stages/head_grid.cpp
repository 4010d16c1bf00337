#include "ui/matrix/stages/head_grid.h"

#include "ui/widgets/card.h"
#include "ui/widgets/theme.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>
#include <numeric>

namespace attnlab::ui {
namespace {

constexpr int head_gap = 8;
constexpr int line_room = head_gap * 2 + 1;
const char* const head_property = "head";

} // namespace

/// The layout of the tiles in the available room.
struct HeadGrid::Grid {
    int picture = smallest_picture;
    bool brief = false;
    QSize tile;
    int across = 1;
    int down = 1;
    int mean_width = 0;
    bool scrolls = false;

    QSize size() const {
        return {across * (tile.width() + head_gap) - head_gap, down * (tile.height() + head_gap) - head_gap};
    }
};

HeadGrid::HeadGrid(QWidget* parent)
    : QWidget(parent), scroll_(new QScrollArea(this)), content_(new QWidget),
      mean_(makeTile(this, ViewState::MeanOfHeads)) {
    scroll_->setWidget(content_);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->viewport()->setAutoFillBackground(false);
    content_->setAutoFillBackground(false);
    mean_->hide();
    connect(scroll_->verticalScrollBar(), &QScrollBar::valueChanged, this, &HeadGrid::sightChanged);
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
        delete tiles_.back();
        tiles_.pop_back();
    }
    while (heads() < count) {
        const int head = heads();
        auto* tile = makeTile(content_, head);
        showDetail(tile, head);
        tile->show();
        placeForTab(tiles_.empty() ? scroll_ : static_cast<QWidget*>(tiles_.back()), tile);
        tiles_.push_back(tile);
    }
    mean_->setVisible(showsMean());
    order_.resize(static_cast<std::size_t>(count));
    std::iota(order_.begin(), order_.end(), 0);
    relayout();
}

MatrixTile* HeadGrid::tile(int head) const {
    if (head == ViewState::MeanOfHeads)
        return mean_;
    return head >= 0 && head < heads() ? tiles_[static_cast<std::size_t>(head)] : nullptr;
}

void HeadGrid::setMeanShown(bool shown) {
    mean_shown_ = shown;
    mean_->setVisible(showsMean());
    relayout();
}

void HeadGrid::setMapShape(std::int64_t rows, std::int64_t columns) {
    rows_ = rows;
    columns_ = columns;
    relayout();
}

void HeadGrid::setOrder(std::vector<int> order) {
    order_ = std::move(order);
    relayout();
}

void HeadGrid::setDetail(Detail detail, const QString& sample, const QString& brief_sample) {
    detail_ = std::move(detail);
    sample_ = sample;
    brief_sample_ = brief_sample;
    for (int head = 0; head < heads(); ++head)
        showDetail(tile(head), head);
    relayout();
}

void HeadGrid::showDetail(MatrixTile* tile, int head) {
    if (detail_)
        tile->setDetail([this, head] { return detail_(head, brief_); });
}

int HeadGrid::hidden() const {
    const QRect room(QPoint(0, scroll_->verticalScrollBar()->value()), scroll_->viewport()->size());
    return static_cast<int>(std::ranges::count_if(tiles_, [&](const MatrixTile* tile) {
        return !room.adjusted(0, -head_gap, 0, head_gap).contains(tile->geometry());
    }));
}

void HeadGrid::showSelected() {
    if (selected_ >= 0 && selected_ < heads())
        scroll_->ensureWidgetVisible(tile(selected_), 0, head_gap);
    emit sightChanged();
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

int HeadGrid::heightFor(int picture) const { return tileSize(picture, false).height(); }

QSize HeadGrid::tileSize(int picture, bool brief) const {
    const MatrixTile* any = tiles_.empty() ? mean_ : tiles_.back(); // the last head has the longest number
    const QSize size = thumbnailSize(rows_, columns_, picture);
    const int text = std::max(any->titleWidth(), any->detailWidth(brief ? brief_sample_ : sample_));
    return {std::max(size.width(), text) + MatrixTile::padding * 2,
            size.height() + std::max(any->textHeight(), mean_->textHeight()) + MatrixTile::padding * 2};
}

int HeadGrid::meanWidth(int picture) const {
    return std::max({thumbnailSize(rows_, columns_, picture).width(), mean_->titleWidth(),
                     mean_->detailWidth(mean_->detail())}) +
           MatrixTile::padding * 2;
}

int HeadGrid::loneWidth() const { return tiles_.empty() ? 0 : tileSize(lone_picture, false).width(); }

// The largest tiles for which all heads are visible; else with short lines; else small and scrolled.
HeadGrid::Grid HeadGrid::gridFor(QSize room) const {
    const int count = heads();
    const auto fill = [this, count, room](Grid& grid, int scrollbar) {
        grid.tile = tileSize(grid.picture, grid.brief);
        grid.mean_width = showsMean() ? meanWidth(grid.picture) + line_room : 0;
        grid.across = std::clamp(
            (room.width() - grid.mean_width - scrollbar + head_gap) / (grid.tile.width() + head_gap), 1, count);
        grid.down = (count + grid.across - 1) / grid.across;
        return grid.size().height() <= room.height();
    };
    const int text = tileSize(0, false).height();
    Grid grid;
    for (const bool brief : {false, true}) {
        grid.brief = brief;
        const int largest = count == 1 ? lone_picture : largest_picture;
        for (grid.picture = std::clamp(room.height() - text, smallest_picture, largest);
             grid.picture >= smallest_picture; grid.picture -= 2)
            if (fill(grid, 0))
                return grid;
    }
    grid.picture = smallest_picture;
    grid.scrolls = true;
    fill(grid, scroll_->verticalScrollBar()->sizeHint().width() + 2);
    return grid;
}

void HeadGrid::relayout() {
    if (heads() == 0) {
        line_ = QRect();
        update();
        return;
    }
    const Grid grid = gridFor(size());
    if (brief_ != grid.brief) {
        brief_ = grid.brief;
        emit briefChanged(brief_);
    }
    place(grid);
    showSelected();
    update();
}

void HeadGrid::place(const Grid& grid) {
    across_ = grid.across;
    const QSize all = grid.size();
    const int bar = grid.scrolls ? scroll_->verticalScrollBar()->sizeHint().width() + 2 : 0;
    const int left = heads() == 1 ? 0 : std::max(0, (width() - all.width() - bar - grid.mean_width) / 2);
    scroll_->setVerticalScrollBarPolicy(grid.scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    scroll_->setGeometry(left, 0, all.width() + bar, height());
    content_->resize(all.width(), std::max(all.height(), height()));
    const QSize picture = thumbnailSize(rows_, columns_, grid.picture);
    const int top = grid.scrolls ? 0 : std::max(0, (height() - all.height()) / 2);
    for (int position = 0; position < heads(); ++position) {
        MatrixTile* one = tile(order_[static_cast<std::size_t>(position)]);
        one->setPictureSize(picture);
        one->setGeometry((position % across_) * (grid.tile.width() + head_gap),
                         top + (position / across_) * (grid.tile.height() + head_gap), grid.tile.width(),
                         grid.tile.height());
    }
    if (!showsMean()) {
        line_ = QRect();
        return;
    }
    const int right = left + all.width() + bar;
    line_ = QRect(right + head_gap, top + head_gap / 2, 1, std::min(height(), all.height()) - head_gap);
    mean_->setPictureSize(picture);
    mean_->setGeometry(right + line_room, top, grid.mean_width - line_room, grid.tile.height());
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
    if (key == Qt::Key_Right)
        ++index;
    else if (key == Qt::Key_Left)
        --index;
    else if (key == Qt::Key_Down)
        index += from == mean_ ? 0 : across_;
    else if (key == Qt::Key_Up)
        index -= from == mean_ ? 1 : across_;
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
