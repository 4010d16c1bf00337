#include "ui/learn/lab/card_view.h"

#include "ui/learn/lab/part_view.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/label.h"
#include "ui/widgets/markdown_label.h"
#include "ui/widgets/remove_later.h"
#include "ui/widgets/text.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

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
        removeLater(parts_.back());
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
        removeLater(controls_);
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

} // namespace attnlab::ui
