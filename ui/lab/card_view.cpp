#include "ui/lab/card_view.h"

#include "ui/card.h"
#include "ui/elided_label.h"
#include "ui/lab/part_view.h"
#include "ui/label.h"
#include "ui/markdown_label.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/plot/line_chart_drawing.h"
#include "ui/text.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnlab::ui {
namespace {

constexpr int card_margin = 9;
constexpr int card_gap = 5;
constexpr double card_least_lines = 7.5; ///< of a matrix

} // namespace

int CardView::Heights::sum() const {
    const auto all = [](const std::vector<int>& parts) { return std::accumulate(parts.begin(), parts.end(), 0); };
    return header + all(above) + matrix + all(below) + margins;
}

void CardView::Heights::include(const Heights& other) {
    const auto larger = [](std::vector<int>& own, const std::vector<int>& theirs) {
        own.resize(std::max(own.size(), theirs.size()));
        for (std::size_t k = 0; k < theirs.size(); ++k)
            own[k] = std::max(own[k], theirs[k]);
    };
    header = std::max(header, other.header);
    larger(above, other.above);
    matrix = std::max(matrix, other.matrix);
    larger(below, other.below);
    margins = std::max(margins, other.margins);
}

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
    // The layout by hand decides; the view's own wish is that of a whole page.
    heatmap_->setMinimumSize(1, 1);
}

void CardView::setContent(CardContent content, bool colored, bool color_bar) {
    content_ = std::move(content);
    colored_ = colored;
    const auto count = content_.above.size() + content_.below.size();
    while (parts_.size() > count) {
        delete parts_.back();
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
    heatmap_->setAccessibleName(QStringLiteral("%1, %2").arg(content_.title, content_.stage));
    error_->setText(content_.error);
    error_->setVisible(!content_.matrix);
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
        if (controls_) { // one of them may have asked for this
            controls_->hide();
            controls_->deleteLater();
        }
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

int CardView::titleHeight() const { return instead_of_title_ ? 0 : title_->sizeHint().height() + card_gap / 2; }
int CardView::dotWidth() const { return colored_ ? static_cast<int>(0.9 * fontMetrics().height()) : 0; }
int CardView::controlsHeight(int width) const { return controls_ ? controls_->heightForWidth(width) : 0; }

CardView::Heights CardView::heightsFor(int width) const {
    const int inside = width - 2 * card_margin;
    Heights heights;
    heights.margins = 2 * card_margin;
    heights.header = titleHeight() + controlsHeight(inside - dotWidth()) + card_gap;
    if (!words_->isHidden())
        heights.header += words_->heightForWidth(inside) + card_gap;
    for (std::size_t k = 0; k < parts_.size(); ++k)
        (k < content_.above.size() ? heights.above : heights.below)
            .push_back(parts_[k]->heightForWidth(inside) + card_gap);
    const double least = card_least_lines * fontMetrics().height();
    heights.matrix =
        static_cast<int>(content_.matrix ? std::max(least, leastMatrixHeight(*content_.matrix, font())) : least);
    return heights;
}

int CardView::matrixHeightFor(int width) const {
    if (!content_.matrix)
        return 0;
    const auto view = content_.matrix->view();
    const double cells = std::max(1.0, width - 2.0 * card_margin - heatmap_->sidesWidth());
    const double share = static_cast<double>(view.rows) / static_cast<double>(std::max<std::int64_t>(1, view.columns));
    return static_cast<int>(cells * std::min(share, 1.4) + 3.0 * fontMetrics().height());
}

void CardView::setHeights(const Heights& heights) {
    heights_ = heights;
    layOut();
}

void CardView::layOut() {
    const int inside = width() - 2 * card_margin;
    int y = card_margin;
    const int dot = dotWidth();
    title_->setGeometry(card_margin + dot, y, inside - dot, title_->sizeHint().height());
    int header_y = y + titleHeight();
    if (controls_) {
        const int height = controlsHeight(inside - dot);
        controls_->setGeometry(card_margin + dot, header_y, inside - dot, height);
        header_y += height;
    }
    if (!words_->isHidden())
        words_->setGeometry(card_margin, header_y + card_gap / 2, inside, words_->heightForWidth(inside));
    y += heights_.header;
    const auto place = [&](std::size_t part, const std::vector<int>& heights, std::size_t index) {
        const int height = index < heights.size() ? heights[index] : 0;
        parts_[part]->setGeometry(card_margin, y, inside, std::max(1, height - card_gap));
        y += height;
    };
    const auto above = content_.above.size();
    for (std::size_t k = 0; k < above; ++k)
        place(k, heights_.above, k);
    // Where the card has fewer parts than a neighbour.
    for (std::size_t k = above; k < heights_.above.size(); ++k)
        y += heights_.above[k];
    heatmap_->setGeometry(card_margin, y, inside, std::max(1, heights_.matrix - card_gap));
    error_->setGeometry(heatmap_->geometry());
    y += heights_.matrix;
    for (std::size_t k = above; k < parts_.size(); ++k)
        place(k, heights_.below, k - above);
    showTitle();
}

void CardView::paintEvent(QPaintEvent*) {
    paintCard(*this);
    if (!colored_)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(seriesColor(content_.color, theme()));
    const double size = 0.55 * fontMetrics().height();
    const QRect row = instead_of_title_ ? controls_->geometry() : title_->geometry();
    const double middle = row.top() + std::min<double>(row.height(), 1.7 * fontMetrics().height()) / 2.0;
    painter.drawEllipse(QRectF(card_margin, middle - size / 2, size, size));
}

void CardView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
}

bool CardView::eventFilter(QObject* watched, QEvent* event) {
    // A field came or went: the controls may wrap otherwise.
    if (watched == controls_ && event->type() == QEvent::LayoutRequest)
        emit contentChanged();
    return QWidget::eventFilter(watched, event);
}

void CardView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        emit contentChanged();
    if (event->type() == QEvent::PaletteChange)
        update();
}

} // namespace attnlab::ui
