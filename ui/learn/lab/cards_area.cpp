#include "ui/learn/lab/cards_area.h"

#include "ui/matrix/heatmap_view.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/remove_later.h"

#include <QScrollBar>
#include <QTimer>

#include <algorithm>

namespace attnlab::ui {
CardsArea::CardsArea(QWidget* parent) : QScrollArea(parent), inside_(new QWidget) {
    setAccessibleRole(*this, QAccessible::Grouping);
    setAccessibleName(tr("Cards"));
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
    if (cards_.size() != contents.size())
        letters_ = 1.0;
    while (cards_.size() > contents.size()) {
        removeLater(cards_.back());
        cards_.pop_back();
    }
    while (cards_.size() < contents.size())
        cards_.push_back(makeCard());
    for (std::size_t k = 0; k < cards_.size(); ++k) {
        // Matrices of another shape reset their zoom: a view with the new one must not follow one that still has the
        // old one.
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

int CardsArea::preferredHeight(int width) const {
    const BoardLayout layout(cards_.size(), width, font(), [this](std::size_t k, double card_width) {
        CardHeights heights = cards_[k]->heightsFor(card_width);
        heights.matrix = std::max(heights.matrix, cards_[k]->matrixHeightFor(card_width));
        return heights;
    });
    return cards_.empty() ? 0 : static_cast<int>(layout.height());
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

BoardLayout CardsArea::layoutFor(int width) const {
    return {cards_.size(), static_cast<double>(width), inside_->font(),
            [this](std::size_t k, double card_width) { return cards_[k]->heightsFor(card_width); }};
}

void CardsArea::layOut() {
    if (cards_.empty())
        return;
    // From this widget's size, without a scroll bar: with a bar the cards could become lower.
    QSize room = size() - QSize(2 * frameWidth(), 2 * frameWidth());
    fitLetters(room);
    BoardLayout layout = layoutFor(room.width());
    const bool scrolls = layout.height() > room.height();
    setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    if (scrolls) {
        room.rwidth() -= verticalScrollBar()->sizeHint().width() + 2;
        layout = layoutFor(room.width());
    }
    layout.grow(room.height());
    for (std::size_t k = 0; k < cards_.size(); ++k) {
        cards_[k]->setHeights(layout.heights(k));
        cards_[k]->setGeometry(layout.card(k).toRect());
    }
    inside_->resize(room.width(), std::max(static_cast<int>(layout.height()), 1));
    // For the keyboard too: the arrow keys scroll the focused widget.
    setFocusPolicy(scrolls ? Qt::TabFocus : Qt::NoFocus);
}

/// The largest letters with which all cards fit. Cards lay themselves out again when letters change, so that those that
/// fit stay.
void CardsArea::fitLetters(const QSize& room) {
    constexpr double step = 0.92, smallest = 0.35;
    const auto apply = [&] {
        QFont letters; // names only a size
        if (font().pointSizeF() > 0)
            letters.setPointSizeF(font().pointSizeF() * letters_);
        else
            letters.setPixelSize(std::max(1, static_cast<int>(font().pixelSize() * letters_)));
        inside_->setFont(letters_ < 1.0 ? letters : QFont());
    };
    apply();
    while (fitting_ && letters_ > smallest && layoutFor(room.width()).height() > room.height()) {
        letters_ *= step;
        apply();
    }
}

void CardsArea::setFitting(bool on) {
    if (on == fitting_)
        return;
    fitting_ = on;
    letters_ = 1.0;
    layOut();
}

bool CardsArea::scrolls() const { return verticalScrollBarPolicy() == Qt::ScrollBarAlwaysOn; }

void CardsArea::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    letters_ = 1.0;
    layOut();
}

} // namespace attnlab::ui
