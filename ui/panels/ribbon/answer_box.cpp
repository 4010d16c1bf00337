#include "ui/panels/ribbon/answer_box.h"

#include "ui/widgets/elided_label.h"
#include "ui/widgets/theme.h"

#include <QEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace attnlab::ui {

namespace {

constexpr QMargins usual_edges(11, 5, 11, 6), edges_of_three_lines(11, 2, 11, 2);
constexpr int between_lines = 1;

QString joined(const QStringList& details) { return details.join(QStringLiteral(" · ")); }

} // namespace

AnswerBox::AnswerBox(QWidget* parent)
    : QWidget(parent), claim_(new ElidedLabel(this)), details_(new ElidedLabel(this)), more_(new ElidedLabel(this)) {
    auto* lines = new QVBoxLayout(this);
    lines->setContentsMargins(usual_edges);
    lines->setSpacing(between_lines);
    for (auto* label : {claim_, details_, more_}) {
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        lines->addWidget(label);
    }
    for (auto* label : {details_, more_})
        label->setForegroundRole(QPalette::PlaceholderText);
    more_->hide();
    QSizePolicy kept = sizePolicy(); // chips do not move under the mouse that chooses one
    kept.setRetainSizeWhenHidden(true);
    setSizePolicy(kept);
}

void AnswerBox::setAnswer(const QString& claim, const QStringList& details) {
    claim_->setText(claim);
    parts_ = details;
    wrap();
}

void AnswerBox::setTips(const QString& claim, const QString& details) {
    claim_->setToolTip(claim);
    details_->setToolTip(details);
    more_->setToolTip(details);
}

void AnswerBox::wrap() {
    const int room = width() - usual_edges.left() - usual_edges.right();
    QStringList first = parts_, rest;
    const int three_lines =
        3 * fontMetrics().height() + 2 * between_lines + edges_of_three_lines.top() + edges_of_three_lines.bottom();
    if (three_lines <= height_)
        while (first.size() > 1 && fontMetrics().horizontalAdvance(joined(first)) > room)
            rest.prepend(first.takeLast());
    details_->setText(joined(first));
    more_->setText(joined(rest));
    layout()->setContentsMargins(rest.isEmpty() ? usual_edges : edges_of_three_lines);
    more_->setVisible(!rest.isEmpty());
}

QStringList AnswerBox::shownLines() const {
    QStringList lines;
    for (const auto* label : {claim_, details_, more_})
        if (!isHidden() && !label->isHidden())
            lines << label->shownText();
    return lines;
}

QSize AnswerBox::sizeFor(int letters) const {
    return {letters * fontMetrics().horizontalAdvance(QLatin1Char('0')), QWidget::sizeHint().height()};
}

QSize AnswerBox::sizeHint() const {
    const QSize usual = sizeFor(usual_letters);
    const int least = room_ >= sizeFor(least_usual_letters).width() ? room_ : usual.width();
    const int most = std::max(sizeFor(fewest_letters).width(), std::min(most_, sizeFor(most_letters).width()));
    return {std::min(least, most), usual.height()};
}

void AnswerBox::setRoom(int width, int most, int height) {
    const QSize before = sizeHint();
    room_ = width;
    most_ = most;
    height_ = height;
    wrap();
    if (before != sizeHint())
        updateGeometry();
}

void AnswerBox::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().window);
    painter.drawRoundedRect(QRectF(rect()), 6, 6);
}

void AnswerBox::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    wrap();
}

void AnswerBox::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        update();
}

} // namespace attnlab::ui
