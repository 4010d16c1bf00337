#include "ui/learn/cards/cards_area.h"

#include "ui/learn/cards/card_part.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <QEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTimer>

namespace attnlab::ui {
CardView::CardView(QWidget* parent)
    : QWidget(parent), title_(new ElidedLabel(this)), words_(mutedMarkdownLabel(this)), error_(mutedLabel(this)),
      heatmap_(new HeatmapView(this)) {
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    words_->hide();
    error_->setWordWrap(true);
    error_->setAlignment(Qt::AlignCenter);
    error_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    error_->hide();
    // Sized by the card's layout; the view's own size hint is for a whole page.
    heatmap_->setMinimumSize(1, 1);
}

void CardView::setContent(CardContent content, bool colored, bool color_bar) {
    content_ = std::move(content);
    colored_ = colored;
    const auto count = content_.above.size() + content_.below.size();
    while (parts_.size() > count) {
        removeSafely(parts_.back());
        parts_.pop_back();
    }
    while (parts_.size() < count) {
        auto* part = new PartView(this);
        connect(part, &PartView::rowClicked, this, &CardView::rowClicked);
        part->show();
        parts_.push_back(part);
    }
    for (std::size_t k = 0; k < count; ++k) {
        const auto above = content_.above.size();
        parts_[k]->setPart(k < above ? content_.above[k] : content_.below[k - above]);
    }
    heatmap_->setVisible(content_.matrix.has_value());
    if (content_.matrix) {
        heatmap_->setSides(true, color_bar);
        heatmap_->setMatrix(*content_.matrix, content_.scale);
    }
    heatmap_->setCaption(QStringLiteral("%1, %2").arg(content_.title, content_.stage));
    error_->setText(content_.error);
    error_->setVisible(!content_.matrix);
    setAccessibleRole(*this, QAccessible::Grouping);
    setAccessibleName(content_.title);
    showTitle();
    layOut();
    update();
    emit contentChanged();
}

void CardView::showTitle() {
    title_->setVisible(!instead_of_title_);
    title_->setToolTip(content_.title);
    title_->setText(content_.title);
}

QString CardView::words() const { return words_->source(); }

void CardView::setWords(const QString& words) {
    if (words == words_->source())
        return;
    words_->setSource(words);
    words_->setVisible(!words.isEmpty());
    emit contentChanged();
}

void CardView::setControls(QWidget* controls, bool instead_of_title) {
    if (controls == controls_ && instead_of_title == instead_of_title_)
        return;
    if (controls != controls_) {
        removeSafely(controls_);
        controls_ = controls;
        if (controls_) {
            controls_->setParent(this);
            controls_->installEventFilter(this);
            controls_->show();
        }
    }
    instead_of_title_ = controls_ && instead_of_title;
    showTitle();
    emit contentChanged();
}

int CardView::titleHeight() const {
    return instead_of_title_ ? 0 : title_->sizeHint().height() + static_cast<int>(card_gap / 2);
}
int CardView::dotRoom() const { return colored_ ? static_cast<int>(dotWidth(font())) : 0; }
int CardView::controlsHeight(int width) const { return controls_ ? controls_->heightForWidth(width) : 0; }

CardHeights CardView::heightsFor(double width) const {
    const int inside = static_cast<int>(width - 2 * card_margin);
    double header = titleHeight() + controlsHeight(inside - dotRoom()) + card_gap;
    if (!words_->isHidden())
        header += words_->heightForWidth(inside) + card_gap;
    return heightsOf(content_, header, font(), width);
}

double CardView::matrixHeightFor(double width) const {
    if (!content_.matrix)
        return 0;
    const auto view = content_.matrix->view();
    const double cells = std::max(1.0, width - 2.0 * card_margin - heatmap_->sidesWidth());
    const double share = static_cast<double>(view.rows) / static_cast<double>(std::max<std::int64_t>(1, view.columns));
    return std::floor(cells * std::min(share, 1.4) + 3.0 * fontMetrics().height());
}

void CardView::setHeights(const CardHeights& heights) {
    heights_ = heights;
    layOut();
}

void CardView::layOut() {
    const CardPlaces places = placesIn(rect(), heights_);
    QRect line = places.header.toRect().adjusted(dotRoom(), 0, 0, 0);
    line.setHeight(title_->sizeHint().height());
    title_->setGeometry(line);
    line.moveTop(line.top() + titleHeight());
    if (controls_) {
        line.setHeight(controlsHeight(line.width()));
        controls_->setGeometry(line);
        line.moveTop(line.top() + line.height());
    }
    if (!words_->isHidden()) {
        const int inside = static_cast<int>(places.header.width());
        words_->setGeometry(static_cast<int>(card_margin), line.top() + static_cast<int>(card_gap / 2), inside,
                            words_->heightForWidth(inside));
    }
    // The heights are those of the previous content until the board has laid out the new one.
    const auto above = content_.above.size();
    for (std::size_t k = 0; k < parts_.size(); ++k) {
        const auto& column = k < above ? places.above : places.below;
        const std::size_t index = k < above ? k : k - above;
        parts_[k]->setGeometry(index < column.size() ? column[index].toRect() : QRect());
    }
    heatmap_->setGeometry(places.matrix.toRect());
    error_->setGeometry(heatmap_->geometry());
    showTitle();
}

void CardView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRect row = instead_of_title_ ? controls_->geometry() : title_->geometry();
    const double middle = row.top() + std::min<double>(row.height(), 1.7 * fontMetrics().height()) / 2.0;
    paintCardFrame(painter, rect(), colored_ ? std::optional(content_.color) : std::nullopt, middle, {theme(), font()});
}

void CardView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
}

bool CardView::eventFilter(QObject* watched, QEvent* event) {
    // A field was added or removed: the controls may wrap differently.
    if (watched == controls_ && event->type() == QEvent::LayoutRequest)
        emit contentChanged();
    return QWidget::eventFilter(watched, event);
}

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
        font_scale_ = 1.0;
    while (cards_.size() > contents.size()) {
        removeSafely(cards_.back());
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
    fitFontSize(room);
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
void CardsArea::fitFontSize(const QSize& room) {
    constexpr double step = 0.92, smallest = 0.35;
    const auto apply = [&] {
        QFont letters; // names only a size
        if (font().pointSizeF() > 0)
            letters.setPointSizeF(font().pointSizeF() * font_scale_);
        else
            letters.setPixelSize(std::max(1, static_cast<int>(font().pixelSize() * font_scale_)));
        inside_->setFont(font_scale_ < 1.0 ? letters : QFont());
    };
    apply();
    while (fitting_ && font_scale_ > smallest && layoutFor(room.width()).height() > room.height()) {
        font_scale_ *= step;
        apply();
    }
}

void CardsArea::setFitting(bool on) {
    if (on == fitting_)
        return;
    fitting_ = on;
    font_scale_ = 1.0;
    layOut();
}

bool CardsArea::scrolls() const { return verticalScrollBarPolicy() == Qt::ScrollBarAlwaysOn; }

void CardsArea::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    font_scale_ = 1.0;
    layOut();
}

} // namespace attnlab::ui
