#include "ui/matrix/stages/thumbnail_grid.h"

#include "ui/widgets/card.h"

#include <algorithm>
#include <QEvent>
#include <QKeyEvent>
#include <QScrollBar>
#include <QStyle>
#include <utility>

namespace attnlab::ui {
namespace {

class ThinBar : public QScrollBar {
public:
    using QScrollBar::QScrollBar;
    QSize sizeHint() const override {
        const QSize usual = QScrollBar::sizeHint();
        return orientation() == Qt::Vertical ? QSize(TileScroll::bar_width, usual.height())
                                             : QSize(usual.width(), TileScroll::bar_width);
    }
};

} // namespace

TileScroll::TileScroll(QWidget* parent) : QScrollArea(parent) {
    setVerticalScrollBar(new ThinBar(Qt::Vertical, this));
    setHorizontalScrollBar(new ThinBar(Qt::Horizontal, this));
    setWidget(new QWidget);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    viewport()->setAutoFillBackground(false);
    content()->setAutoFillBackground(false);
}

void TileScroll::reveal(const QWidget& tile, int margin) {
    // A mirrored scroll bar counts from the right.
    const QRect at = QStyle::visualRect(layoutDirection(), content()->rect(), tile.geometry());
    const auto into = [margin](QScrollBar& bar, int first, int last, int room) {
        if (first - margin < bar.value() || last - first + 2 * margin > room)
            bar.setValue(first - margin);
        else if (last + margin > bar.value() + room)
            bar.setValue(last + margin - room);
    };
    into(*verticalScrollBar(), at.top(), at.bottom(), viewport()->height());
    into(*horizontalScrollBar(), at.left(), at.right(), viewport()->width());
}

QRect TileScroll::sight() const {
    // Not the viewport's size, which is out of date until the next layout.
    return {QPoint(horizontalScrollBar()->value(), verticalScrollBar()->value()), size()};
}

ThumbnailGrid::ThumbnailGrid(QWidget* parent) : QWidget(parent), scroll_(new TileScroll(this)) {
    // Only a laid out scroll bar can move to the chosen tile.
    for (const QScrollBar* bar : {scroll_->verticalScrollBar(), scroll_->horizontalScrollBar()})
        connect(bar, &QScrollBar::rangeChanged, this, &ThumbnailGrid::revealChosen);
}

MatrixTile* ThumbnailGrid::addTile(QWidget* parent) {
    auto* tile = new MatrixTile(parent);
    tile->installEventFilter(this);
    connect(tile, &MatrixTile::clicked, this, [this, tile] { choose(*tile); });
    connect(tile, &MatrixTile::doubleClicked, this, [this, tile] {
        choose(*tile);
        emit enlarged();
    });
    placeForTab(scroll_, tile);
    tile->show();
    return tile;
}

void ThumbnailGrid::setRows(Rows rows) {
    rows_ = std::move(rows);
    markChosen();
}

std::optional<ThumbnailGrid::Position> ThumbnailGrid::positionOf(const MatrixTile* tile) const {
    for (std::size_t row = 0; row < rows_.size(); ++row)
        if (const auto at = std::ranges::find(rows_[row], tile); at != rows_[row].end())
            return Position{row, static_cast<std::size_t>(at - rows_[row].begin())};
    return std::nullopt;
}

void ThumbnailGrid::setChosenTile(MatrixTile* tile) {
    chosen_ = tile;
    markChosen();
    revealChosen();
}

void ThumbnailGrid::markChosen() {
    const bool has_chosen = positionOf(chosen_).has_value();
    bool is_first = true;
    for (const auto& row : rows_)
        for (MatrixTile* tile : row) {
            const bool is_stop = has_chosen ? tile == chosen_ : is_first;
            tile->setChecked(tile == chosen_);
            tile->setFocusPolicy(is_stop ? Qt::StrongFocus : Qt::ClickFocus);
            is_first = false;
        }
}

void ThumbnailGrid::revealChosen() {
    if (positionOf(chosen_) && chosen_->parentWidget() == content())
        scroll_->reveal(*chosen_, reveal_margin);
}

void ThumbnailGrid::place(QWidget& part, const QRect& at) const {
    part.setGeometry(QStyle::visualRect(layoutDirection(), part.parentWidget()->rect(), at));
}

void ThumbnailGrid::choose(MatrixTile& tile) {
    chooseTile(tile);
    markChosen(); // a click on the chosen tile must not uncheck it
}

MatrixTile* ThumbnailGrid::target(Position from, const QKeyEvent& key) const {
    const auto& row = rows_[from.row];
    const bool whole = key.modifiers().testFlag(Qt::ControlModifier);
    const bool mirrored = isRightToLeft();
    const bool one_row = rows_.size() == 1;
    const bool one_column = std::ranges::all_of(rows_, [](const auto& tiles) { return tiles.size() == 1; });
    int down = 0, right = 0;
    switch (key.key()) {
    case Qt::Key_Home:
        return whole || one_column ? rows_.front().front() : row.front();
    case Qt::Key_End:
        return whole || one_column ? rows_.back().back() : row.back();
    case Qt::Key_Left:
        right = mirrored ? 1 : -1;
        break;
    case Qt::Key_Right:
        right = mirrored ? -1 : 1;
        break;
    case Qt::Key_Up:
        down = -1;
        break;
    case Qt::Key_Down:
        down = 1;
        break;
    default:
        return nullptr;
    }
    if (one_row)
        right += std::exchange(down, 0);
    else if (one_column)
        down += std::exchange(right, 0);
    const auto next = [](std::size_t at, int step, std::size_t count) {
        const auto to = static_cast<std::ptrdiff_t>(at) + step;
        return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(to, 0, static_cast<std::ptrdiff_t>(count) - 1));
    };
    const auto& to = rows_[next(from.row, down, rows_.size())];
    return to[next(std::min(from.column, to.size() - 1), right, to.size())];
}

bool ThumbnailGrid::press(MatrixTile& from, const QKeyEvent& key) {
    const auto at = positionOf(&from);
    if (!at)
        return false;
    if (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter) {
        choose(from);
        emit enlarged();
        return true;
    }
    MatrixTile* to = target(*at, key);
    if (!to)
        return false;
    if (to != &from) {
        choose(*to);
        to->setFocus(Qt::TabFocusReason);
    }
    return true;
}

bool ThumbnailGrid::eventFilter(QObject* watched, QEvent* event) {
    auto* from = qobject_cast<MatrixTile*>(watched);
    return (from && event->type() == QEvent::KeyPress && press(*from, *static_cast<QKeyEvent*>(event))) ||
           QWidget::eventFilter(watched, event);
}

void ThumbnailGrid::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    relayout();
}

void ThumbnailGrid::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LayoutDirectionChange)
        relayout();
}

} // namespace attnlab::ui
