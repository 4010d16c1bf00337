#include "ui/lab/card_view.h"

#include "ui/card.h"
#include "ui/lab/part_view.h"
#include "ui/plot/heatmap_view.h"
#include "ui/plot/line_chart_drawing.h"
#include "ui/text.h"

#include <QEvent>
#include <QLabel>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr int margin = 9;
constexpr int gap = 5;
constexpr double least_lines = 7.5; ///< of a matrix

} // namespace

CardView::CardView(QWidget* parent)
    : QWidget(parent), title_(new QLabel(this)), words_(mutedLabel(this)), error_(mutedLabel(this)),
      heatmap_(new HeatmapView(this)) {
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    title_->setTextFormat(Qt::PlainText);
    words_->setTextFormat(Qt::MarkdownText);
    words_->setWordWrap(true);
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
    title_->setVisible(!controls_);
    title_->setToolTip(toolTipText(content_.title));
    title_->setText(title_->fontMetrics().elidedText(content_.title, Qt::ElideRight, title_->width()));
}

QString CardView::words() const { return words_->text(); }

void CardView::setWords(const QString& words) {
    if (words == words_->text())
        return;
    words_->setText(words);
    words_->setVisible(!words.isEmpty());
    emit contentChanged();
}

void CardView::setControls(QWidget* controls) {
    if (controls == controls_)
        return;
    delete controls_;
    controls_ = controls;
    if (controls_) {
        controls_->setParent(this);
        controls_->show();
    }
    showTitle();
    emit contentChanged();
}

int CardView::headingHeight(int width) const {
    return controls_ ? controls_->heightForWidth(width) : title_->sizeHint().height();
}

int CardView::partsHeight(int first, int last, int width) const {
    int height = 0;
    for (int k = first; k < last; ++k)
        height += parts_[static_cast<std::size_t>(k)]->heightForWidth(width) + gap;
    return height;
}

CardView::Heights CardView::heightsFor(int width) const {
    const int inside = width - 2 * margin;
    Heights heights;
    heights.margins = 2 * margin;
    heights.header = headingHeight(inside) + gap;
    if (!words_->isHidden())
        heights.header += words_->heightForWidth(inside) + gap;
    const auto above = static_cast<int>(content_.above.size());
    heights.above = partsHeight(0, above, inside);
    heights.below = partsHeight(above, static_cast<int>(parts_.size()), inside);
    const double least = least_lines * fontMetrics().height();
    heights.matrix =
        static_cast<int>(content_.matrix ? std::max(least, leastMatrixHeight(*content_.matrix, font())) : least);
    return heights;
}

int CardView::matrixHeightFor(int width) const {
    if (!content_.matrix)
        return 0;
    const auto view = content_.matrix->view();
    const double cells = std::max(1.0, width - 2.0 * margin - heatmap_->sidesWidth());
    const double share = static_cast<double>(view.rows) / static_cast<double>(std::max<std::int64_t>(1, view.columns));
    return static_cast<int>(cells * std::min(share, 1.4) + 3.0 * fontMetrics().height());
}

void CardView::setHeights(const Heights& heights) {
    heights_ = heights;
    layOut();
}

void CardView::layOut() {
    const int inside = width() - 2 * margin;
    int y = margin;
    const int dot = colored_ ? static_cast<int>(0.9 * fontMetrics().height()) : 0;
    const int heading = headingHeight(inside - dot);
    if (controls_)
        controls_->setGeometry(margin + dot, y, inside - dot, heading);
    else
        title_->setGeometry(margin + dot, y, inside - dot, heading);
    if (!words_->isHidden())
        words_->setGeometry(margin, y + heading + gap / 2, inside, words_->heightForWidth(inside));
    y += heights_.header;
    const auto above = content_.above.size();
    int part_y = y;
    const auto place = [&](std::size_t k) {
        const int height = parts_[k]->heightForWidth(inside);
        parts_[k]->setGeometry(margin, part_y, inside, height);
        part_y += height + gap;
    };
    for (std::size_t k = 0; k < above; ++k)
        place(k);
    y += heights_.above;
    heatmap_->setGeometry(margin, y, inside, std::max(1, heights_.matrix - gap));
    error_->setGeometry(heatmap_->geometry());
    part_y = y + heights_.matrix;
    for (std::size_t k = above; k < parts_.size(); ++k)
        place(k);
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
    const QRect row = controls_ ? controls_->geometry() : title_->geometry();
    const double middle = row.top() + std::min<double>(row.height(), 1.7 * fontMetrics().height()) / 2.0;
    painter.drawEllipse(QRectF(margin, middle - size / 2, size, size));
}

void CardView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
}

void CardView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        emit contentChanged();
    if (event->type() == QEvent::PaletteChange)
        update();
}

} // namespace attnlab::ui
