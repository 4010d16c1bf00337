#include "ui/lab/cards_area.h"

#include "ui/matrix/heatmap_view.h"

#include <QEvent>
#include <QScrollBar>
#include <QTimer>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr int cards_gap = 8;
constexpr double area_narrowest_lines = 12.0; ///< a card, in heights of the text

} // namespace

CardsArea::CardsArea(QWidget* parent) : QScrollArea(parent), inside_(new QWidget) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidget(inside_);
    viewport()->setAutoFillBackground(false);
    inside_->setAutoFillBackground(false);
}

CardView* CardsArea::makeCard() {
    auto* card = new CardView(inside_);
    connect(card, &CardView::contentChanged, this, &CardsArea::layOutLater);
    connect(card, &CardView::rowClicked, this, &CardsArea::rowClicked);
    HeatmapView* heatmap = card->heatmap();
    connect(heatmap, &HeatmapView::cellHovered, this, &CardsArea::hover);
    connect(heatmap, &HeatmapView::cellClicked, this, &CardsArea::cellClicked);
    connect(heatmap, &HeatmapView::positionChanged, this, [this, heatmap](const ViewPosition& position) {
        const auto own = heatmap->matrix().view();
        for (const CardView* other : cards_) {
            const auto theirs = other->heatmap()->matrix().view();
            if (other->heatmap() != heatmap && theirs.rows == own.rows && theirs.columns == own.columns)
                other->heatmap()->setPosition(position);
        }
    });
    card->show();
    return card;
}

void CardsArea::setContents(std::vector<CardContent> contents, bool colored, bool color_bars) {
    while (cards_.size() > contents.size()) {
        // Its own control may have asked for this.
        cards_.back()->hide();
        cards_.back()->deleteLater();
        cards_.pop_back();
    }
    while (cards_.size() < contents.size())
        cards_.push_back(makeCard());
    for (std::size_t k = 0; k < cards_.size(); ++k) {
        // Matrices of another shape fit themselves: one that has its new one must not follow one that waits.
        const QSignalBlocker quiet(cards_[k]->heatmap());
        const bool shared = contents[k].id.isEmpty();
        cards_[k]->setContent(std::move(contents[k]), colored && !shared, color_bars || shared);
    }
    layOut();
}

void CardsArea::setMarks(std::optional<Cell> pinned, const std::vector<Cell>& highlighted) {
    for (CardView* card : cards_) {
        card->heatmap()->setPinned(pinned);
        card->heatmap()->setHighlighted(highlighted);
    }
}

void CardsArea::hover(std::optional<Cell> cell) {
    for (CardView* card : cards_)
        card->heatmap()->setCrosshair(cell);
}

int CardsArea::columnsIn(int width) const {
    const int count = std::max(1, static_cast<int>(cards_.size()));
    const int narrowest = static_cast<int>(area_narrowest_lines * fontMetrics().height());
    const int most = std::clamp((width + cards_gap) / (narrowest + cards_gap), 1, count);
    const int rows = (count + most - 1) / most;
    return (count + rows - 1) / rows;
}

int CardsArea::cardWidth(int columns, int width) const {
    return std::max(1, (width - (columns - 1) * cards_gap) / columns);
}

CardView::Heights CardsArea::rowHeights(int row, int columns, int width) const {
    CardView::Heights most;
    const int last = std::min(static_cast<int>(cards_.size()), (row + 1) * columns);
    for (int k = row * columns; k < last; ++k)
        most.include(cards_[static_cast<std::size_t>(k)]->heightsFor(width));
    return most;
}

int CardsArea::preferredHeight(int width) const {
    const int columns = columnsIn(width);
    const int card_width = cardWidth(columns, width);
    const int rows = (static_cast<int>(cards_.size()) + columns - 1) / columns;
    int height = 0;
    for (int row = 0; row < rows; ++row) {
        auto heights = rowHeights(row, columns, card_width);
        for (int k = row * columns; k < std::min(static_cast<int>(cards_.size()), (row + 1) * columns); ++k)
            heights.matrix = std::max(heights.matrix, cards_[static_cast<std::size_t>(k)]->matrixHeightFor(card_width));
        height += heights.sum() + (row > 0 ? cards_gap : 0);
    }
    return height;
}

QSize CardsArea::minimumSizeHint() const { return QSize(14, 8) * fontMetrics().height(); }

void CardsArea::layOutLater() {
    if (std::exchange(waiting_, true))
        return;
    QTimer::singleShot(0, this, [this] {
        waiting_ = false;
        layOut();
    });
}

CardsArea::Arrangement CardsArea::arrangementFor(int width) const {
    const int count = static_cast<int>(cards_.size());
    Arrangement at;
    at.columns = columnsIn(width);
    at.card_width = cardWidth(at.columns, width);
    const int rows = (count + at.columns - 1) / at.columns;
    at.height = (rows - 1) * cards_gap;
    for (int row = 0; row < rows; ++row) {
        at.rows.push_back(rowHeights(row, at.columns, at.card_width));
        at.height += at.rows.back().sum();
    }
    return at;
}

void CardsArea::layOut() {
    const int count = static_cast<int>(cards_.size());
    if (count == 0)
        return;
    // Of this widget's own size, not of the bar that may be there: beside a bar the cards could become lower.
    QSize room = size() - QSize(2 * frameWidth(), 2 * frameWidth());
    Arrangement at = arrangementFor(room.width());
    const bool scrolls = at.height > room.height();
    setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    if (scrolls) {
        room.rwidth() -= verticalScrollBar()->sizeHint().width() + 2;
        at = arrangementFor(room.width());
    }
    const int extra = std::max(0, room.height() - at.height) / static_cast<int>(at.rows.size());
    int y = 0;
    for (std::size_t row = 0; row < at.rows.size(); ++row) {
        CardView::Heights& line = at.rows[row];
        line.matrix += extra;
        const int first = static_cast<int>(row) * at.columns;
        for (int k = first; k < std::min(count, first + at.columns); ++k) {
            CardView* card = cards_[static_cast<std::size_t>(k)];
            card->setHeights(line);
            card->setGeometry((k - first) * (at.card_width + cards_gap), y, at.card_width, line.sum());
        }
        y += line.sum() + cards_gap;
    }
    inside_->resize(room.width(), std::max(y - cards_gap, 1));
    // By keyboard too: what has the focus scrolls by the arrow keys.
    setFocusPolicy(scrolls ? Qt::TabFocus : Qt::NoFocus);
}

void CardsArea::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    layOut();
}

void CardsArea::changeEvent(QEvent* event) {
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        layOutLater();
}

} // namespace attnlab::ui
