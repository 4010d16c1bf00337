#include "ui/learn/cards/cards_area.h"

#include "ui/drawing/role_color.h"
#include "ui/learn/cards/card_part.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/state_box.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <QEvent>
#include <QPainter>
#include <QPalette>
#include <QScrollBar>
#include <QTimer>

namespace attnlab::ui {
namespace {

constexpr double least_cells = 200.0; ///< pixels of a projected matrix

} // namespace

CardView::CardView(QWidget* parent)
    : QWidget(parent), title_(new WrappedLabel(this)), words_(mutedMarkdownLabel(this)), error_(new QWidget(this)),
      error_words_(new StateBox(error_, StateBox::Place::Middle)), heatmap_(new HeatmapView(this)) {
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    title_->setWordWrap(true);
    words_->hide();
    error_->hide();
    // Sized by the card's layout; the view's own size hint is for a whole page.
    heatmap_->setMinimumSize(1, 1);
}

void CardView::setContent(CardContent content, bool colored, bool color_bar) {
    content_ = std::move(content);
    colored_ = colored;
    color_bar_ = color_bar;
    const auto count = content_.above.size() + content_.below.size();
    while (parts_.size() > count) {
        removeSafely(parts_.back());
        parts_.pop_back();
    }
    while (parts_.size() < count) {
        auto* part = new PartView(this);
        connect(part, &PartView::rowClicked, this, &CardView::rowClicked);
        parts_.push_back(part);
    }
    for (std::size_t k = 0; k < count; ++k) {
        const auto above = content_.above.size();
        parts_[k]->setPart(k < above ? content_.above[k] : content_.below[k - above]);
    }
    showParts();
    if (content_.matrix) {
        heatmap_->setSides(true, color_bar);
        heatmap_->setMatrix(*content_.matrix, content_.scale);
    }
    heatmap_->setCaption(QStringLiteral("%1, %2").arg(content_.title, content_.stage));
    error_words_->setState({PictureState::Look::Error, content_.error});
    setAccessibleRole(*this, QAccessible::Grouping);
    setAccessibleName(content_.title);
    showTitle();
    layOut();
    update();
    emit contentChanged();
}

bool CardView::showsTitle() const {
    if (instead_of_title_)
        return false;
    const auto above = content_.above.size();
    for (std::size_t k = 0; k < parts_.size(); ++k)
        if (const auto& part = k < above ? content_.above[k] : content_.below[k - above];
            showsPart(k) && !dynamic_cast<const MatrixPart*>(part.get()))
            return true;
    return shows_matrix_ || content_.title != content_.stage;
}

void CardView::showTitle() {
    title_->setVisible(showsTitle());
    title_->setToolTip(content_.title);
    title_->setText(content_.title);
    QPalette colors;
    if (content_.role)
        colors.setColor(QPalette::WindowText, roleColor(*content_.role, theme()));
    title_->setPalette(colors);
}

void CardView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showTitle(); // in the colour of its role
}

void CardView::showParts() {
    heatmap_->setVisible(shows_matrix_ && content_.matrix.has_value());
    error_->setVisible(shows_matrix_ && !content_.matrix);
    for (std::size_t k = 0; k < parts_.size(); ++k)
        parts_[k]->setVisible(showsPart(k));
}

void CardView::showOnly(bool matrix, const std::vector<bool>& parts) {
    if (matrix == shows_matrix_ && parts == shown_parts_)
        return;
    shows_matrix_ = matrix;
    shown_parts_ = parts;
    showParts();
    showTitle();
}

void CardView::showAll() { showOnly(true, {}); }

bool CardView::hasAnyPart(const std::vector<bool>& parts) const {
    for (std::size_t k = 0; k < parts_.size(); ++k)
        if (k >= parts.size() || parts[k])
            return true;
    return false;
}

double CardView::leastCell(const MatrixView& matrix) const {
    const auto longer = static_cast<double>(std::max<std::int64_t>({1, matrix.rows, matrix.columns}));
    const double cell = least_cells_ / longer;
    return cell > 1.0 ? std::ceil(cell) : cell;
}

double CardView::leastWidth() const {
    if (!content_.matrix || least_cells_ <= 0.0)
        return 0.0;
    const auto view = content_.matrix->view();
    // Not those of the view, which may still have another size.
    const double sides = matrixSidesWidth(*content_.matrix, content_.scale, font(), color_bar_,
                                          leastMatrixHeight(*content_.matrix, font(), leastCell(view)));
    return std::ceil(leastCell(view) * static_cast<double>(view.columns) + sides + 2 * card_margin);
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

int CardView::titleHeight(int width) const {
    return !showsTitle() ? 0 : title_->heightForWidth(width) + static_cast<int>(card_gap / 2);
}
int CardView::dotRoom() const { return colored_ ? static_cast<int>(dotWidth(font())) : 0; }
int CardView::controlsHeight(int width) const { return controls_ ? controls_->heightForWidth(width) : 0; }

CardHeights CardView::heightsFor(double width, double scarcity) const {
    const int inside = static_cast<int>(width - 2 * card_margin), beside_dot = inside - dotRoom();
    double header = titleHeight(beside_dot) + controlsHeight(beside_dot) + card_gap;
    if (!words_->isHidden())
        header += words_->heightForWidth(inside) + card_gap;
    CardHeights heights = heightsOf(content_, header, font(), width, scarcity);
    const auto above = content_.above.size();
    for (std::size_t k = 0; k < parts_.size(); ++k)
        if (!showsPart(k))
            (k < above ? heights.above[k] : heights.below[k - above]) = 0.0;
    if (!shows_matrix_)
        heights.matrix = 0.0;
    else if (content_.matrix && least_cells_ > 0.0)
        heights.matrix = std::max(
            heights.matrix, std::ceil(leastMatrixHeight(*content_.matrix, font(), leastCell(content_.matrix->view()))));
    return heights;
}

double CardView::matrixHeightFor(double width) const {
    if (!content_.matrix)
        return 0;
    const auto view = content_.matrix->view();
    const double cells = std::max(1.0, width - 2.0 * card_margin - heatmap_->sidesWidth());
    const double share = static_cast<double>(view.rows) / static_cast<double>(std::max<std::int64_t>(1, view.columns));
    return std::floor(cells * std::min(share, 1.4) + 3.0 * fontMetrics().height());
}

std::optional<double> CardView::cellsAreaIn(double width, double matrix_height) const {
    if (!content_.matrix)
        return std::nullopt;
    const QSizeF room(width - 2 * card_margin, matrix_height - card_gap);
    const QSizeF cells = cellsSizeIn(room, *content_.matrix, content_.scale, font(), color_bar_);
    return cells.width() * cells.height();
}

void CardView::setHeights(const CardHeights& heights) {
    heights_ = heights;
    layOut();
}

void CardView::layOut() {
    const CardPlaces places = placesIn(rect(), heights_);
    QRect line = places.header.toRect().adjusted(dotRoom(), 0, 0, 0);
    line.setHeight(title_->heightForWidth(line.width()));
    title_->setGeometry(line);
    line.moveTop(line.top() + titleHeight(line.width()));
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
    const double most = instead_of_title_ ? 1.7 : 1.0; // lines: beside the first one
    const double middle = row.top() + std::min<double>(row.height(), most * fontMetrics().height()) / 2.0;
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
        const bool has_colors = !contents[k].matrix || !isWhollyHidden(*contents[k].matrix);
        cards_[k]->setContent(std::move(contents[k]), colored && !shared, has_colors && (color_bars || shared));
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

int CardsArea::preferredHeight(const QSize& room) const {
    if (cards_.empty())
        return 0;
    const CardsPage page = pageWith(0, cards_.size());
    const auto heights_of = [this](std::size_t k, double card_width) {
        CardHeights heights = cards_[k]->heightsFor(card_width);
        heights.matrix = std::max(heights.matrix, cards_[k]->matrixHeightFor(card_width));
        return heights;
    };
    const int columns = layoutFor(page, room).columns();
    return static_cast<int>(
        BoardLayout(cards_.size(), room.width(), font(), heights_of, columns, leastWidth(page)).height());
}

int CardsArea::firstRowHeight(const QSize& room) const {
    if (cards_.empty())
        return 0;
    CardHeights heights = layoutFor(pageWith(0, cards_.size()), room).heights(0);
    heights.below.clear();
    return static_cast<int>(std::ceil(heights.sum()));
}

QSize CardsArea::minimumSizeHint() const { return QSize(14, 8) * fontMetrics().height(); }

void CardsArea::layOutLater() {
    if (std::exchange(waiting_, true))
        return;
    QTimer::singleShot(0, this, [this] {
        waiting_ = false;
        layOut();
        emit contentChanged();
    });
}

double CardsArea::leastWidth(const CardsPage& page) const {
    double least = 0.0;
    for (const auto k : page.cards)
        least = std::max(least, cards_[k]->leastWidth());
    return least;
}

/// In a presentation, parts are reduced as far as they remain readable. A part that has a page of its own is reduced to
/// the page: a small matrix then has lower cells.
BoardLayout CardsArea::layoutFor(const CardsPage& page, const QSize& room) const {
    double less = 0.0, scarcity = 0.0;
    const auto heights_of = [&](std::size_t k, double card_width) {
        auto heights = cards_[page.cards[k]]->heightsFor(card_width, scarcity);
        for (auto* parts : {&heights.above, &heights.below})
            for (double& height : *parts)
                height = std::max(0.0, height - less);
        return heights;
    };
    const auto layout = [&] {
        constexpr int any = std::numeric_limits<int>::max();
        return BoardLayout(page.cards.size(), room.width(), inside_->font(), heights_of, any, leastWidth(page));
    };
    auto made = layout();
    constexpr double by = 0.25;
    while (fitting_ && page.matrix && made.height() > room.height() && scarcity < 1.0) {
        scarcity += by;
        made = layout();
    }
    // Pages have larger matrices than more rows of cards would.
    if (!fitting_ && page.matrix && made.height() <= room.height())
        return folded(made, page, room);
    const double excess = made.height() - room.height();
    if (fitting_ && excess > 0.0 && !page.matrix && std::ranges::count(page.parts, true) == 1) {
        less = std::ceil(excess / static_cast<double>(made.rowCount()));
        made = layout();
    }
    return made;
}

/// With more rows of cards where these have room and their smallest matrix becomes much larger.
BoardLayout CardsArea::folded(const BoardLayout& fewest_rows, const CardsPage& page, const QSize& room) const {
    constexpr double much = 1.4, more_for_a_gap = 2.5; // in area: side by side, cards are compared more easily
    const auto heights_of = [&](std::size_t k, double card_width) {
        return cards_[page.cards[k]]->heightsFor(card_width);
    };
    BoardLayout best = fewest_rows;
    double largest = smallestCells(best, page, room);
    const auto count = page.cards.size();
    for (std::size_t rows = best.rowCount() + 1; rows <= count; ++rows) {
        const auto columns = static_cast<int>((count + rows - 1) / rows);
        const BoardLayout layout(count, room.width(), inside_->font(), heights_of, columns, leastWidth(page));
        if (layout.height() > room.height())
            break;
        const double cells = smallestCells(layout, page, room);
        const bool has_gap = count % static_cast<std::size_t>(layout.columns()) != 0;
        if (cells > (has_gap ? more_for_a_gap : much) * largest) {
            best = layout;
            largest = cells;
        }
    }
    return best;
}

/// The area of the cells of the card where it is smallest.
double CardsArea::smallestCells(BoardLayout layout, const CardsPage& page, const QSize& room) const {
    layout.grow(room.height());
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t place = 0; place < page.cards.size(); ++place) {
        const auto area = cards_[page.cards[place]]->cellsAreaIn(layout.cardWidth(), layout.heights(place).matrix);
        smallest = std::min(smallest, area.value_or(smallest));
    }
    return smallest;
}

void CardsArea::apply(const CardsPage& page) const {
    for (const auto k : page.cards)
        cards_[k]->showOnly(page.matrix, page.parts);
}

CardsArea::CardsPage CardsArea::pageWith(std::size_t first, std::size_t end) {
    CardsPage page;
    for (std::size_t k = first; k < end; ++k)
        page.cards.push_back(k);
    return page;
}

/// As many rows of cards as fit with their matrices, with the parts that still fit; then the parts that do not.
std::vector<CardsArea::CardsPage> CardsArea::makePages(const QSize& room) const {
    std::size_t parts = 0;
    for (const CardView* card : cards_)
        parts = std::max(parts, card->parts().size());
    const auto fits = [&](const CardsPage& page) {
        apply(page);
        return layoutFor(page, room).height() <= room.height();
    };
    std::vector<CardsPage> pages;
    const CardsPage all = pageWith(0, cards_.size());
    if (!fitting_ || fits(all))
        return {all};
    const auto columns = static_cast<std::size_t>(layoutFor(all, room).columns());
    for (std::size_t first = 0; first < cards_.size();) {
        std::size_t end = cards_.size();
        CardsPage page = pageWith(first, end);
        page.parts.assign(parts, false);
        while (end > first + columns && !fits(page)) {
            end = first + (end - first - 1) / columns * columns;
            page.cards.resize(end - first);
        }
        std::vector<bool> left(parts, true);
        for (bool matrix = true; matrix || std::ranges::find(left, true) != left.end(); matrix = false) {
            page.matrix = matrix;
            page.parts.assign(parts, false);
            bool empty = !matrix;
            for (std::size_t k = 0; k < parts; ++k) {
                if (!left[k])
                    continue;
                page.parts[k] = true;
                if (empty || fits(page))
                    left[k] = empty = false;
                else
                    page.parts[k] = false;
            }
            pages.push_back(page);
            if (!matrix)
                std::erase_if(pages.back().cards, [&](std::size_t k) { return !cards_[k]->hasAnyPart(page.parts); });
        }
        first = end;
    }
    return pages;
}

int CardsArea::pagesIn(const QSize& room) const {
    return cards_.empty() ? 1 : static_cast<int>(makePages(room).size());
}

int CardsArea::pageOf(std::size_t card, const QSize& room) const {
    const auto pages = makePages(room);
    const auto found = std::ranges::find_if(pages, [card](const CardsPage& page) {
        return page.matrix && std::ranges::find(page.cards, card) != page.cards.end();
    });
    return found == pages.end() ? 0 : static_cast<int>(found - pages.begin());
}

void CardsArea::showPage(int page) {
    page_ = page;
    layOut();
}

void CardsArea::layOut() {
    if (cards_.empty())
        return;
    for (CardView* card : cards_)
        card->setLeastCells(fitting_ ? least_cells : 0.0);
    // From this widget's size, without a scroll bar: with a bar the cards could become lower.
    QSize room = size() - QSize(2 * frameWidth(), 2 * frameWidth());
    const auto pages = makePages(room);
    const CardsPage page = pages[std::min(static_cast<std::size_t>(std::max(0, page_)), pages.size() - 1)];
    apply(page);
    BoardLayout layout = layoutFor(page, room);
    const bool scrolls = layout.height() > room.height();
    setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    if (scrolls) {
        room.rwidth() -= verticalScrollBar()->sizeHint().width() + 2;
        layout = layoutFor(page, room);
    }
    if (page.matrix)
        layout.grow(room.height());
    for (std::size_t k = 0; k < cards_.size(); ++k)
        cards_[k]->setVisible(std::ranges::find(page.cards, k) != page.cards.end());
    for (std::size_t place = 0; place < page.cards.size(); ++place) {
        CardView* card = cards_[page.cards[place]];
        card->setHeights(layout.heights(place));
        card->setGeometry(layout.card(place).toRect());
    }
    inside_->resize(room.width(), std::max(static_cast<int>(layout.height()), 1));
    // For the keyboard too: the arrow keys scroll the focused widget.
    setFocusPolicy(scrolls ? Qt::TabFocus : Qt::NoFocus);
}

void CardsArea::setFitting(bool on) {
    if (on == fitting_)
        return;
    fitting_ = on;
    page_ = 0;
    layOut();
}

bool CardsArea::scrolls() const { return verticalScrollBarPolicy() == Qt::ScrollBarAlwaysOn; }

void CardsArea::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    layOut();
}

} // namespace attnlab::ui
