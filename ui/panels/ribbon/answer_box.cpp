#include "ui/panels/ribbon/answer_box.h"

#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QPainter>
#include <QRegularExpression>
#include <QVBoxLayout>
#include <tuple>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr QMargins usual_edges(11, 5, 11, 6), edges_of_three_lines(11, 2, 11, 2);
constexpr int between_lines = 1;

/// Into two lines, after the last part of a list with which the first one fits; whole where none fits.
std::pair<QString, QString> brokenAt(const QString& text, int room, const QFontMetrics& metrics) {
    static const QRegularExpression between(QStringLiteral(", |、|，| · "));
    std::pair<QString, QString> best{text, QString()};
    for (auto gap = between.globalMatch(text); gap.hasNext();) {
        const auto match = gap.next();
        const QString comma = match.captured().startsWith(QLatin1Char(' ')) ? QString() : match.captured().trimmed();
        const QString line = text.first(match.capturedStart()) + comma;
        if (metrics.horizontalAdvance(line) <= room)
            best = {line, text.sliced(match.capturedEnd())};
    }
    return best;
}

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
    lines->addStretch();
    more_->hide();
    QSizePolicy kept = sizePolicy(); // chips do not move under the mouse that chooses one
    kept.setRetainSizeWhenHidden(true);
    setSizePolicy(kept);
}

void AnswerBox::setAnswer(const QString& claim, const QStringList& details) {
    claim_->setText(claim);
    parts_ = details;
    widest_claim_ = std::max(widest_claim_, claim_->sizeHint().width());
    wrap();
}

void AnswerBox::setTips(const QString& claim, const QString& details) {
    claim_->setToolTip(claim);
    details_->setToolTip(details);
    more_->setToolTip(details);
}

void AnswerBox::setOneLine(bool one_line) {
    one_line_ = one_line;
    auto* lines = static_cast<QBoxLayout*>(layout());
    lines->setDirection(one_line ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    lines->setSpacing(one_line ? usual_edges.left() : between_lines);
    for (int i = 0; i < lines->count(); ++i) // beside each other, the labels share the width instead of the stretch
        lines->setStretch(i, one_line && lines->itemAt(i)->widget() ? 1 : 0);
    wrap();
    updateGeometry();
}

bool AnswerBox::hasThreeLines() const {
    return !one_line_ && 3 * fontMetrics().height() + 2 * between_lines + edges_of_three_lines.top() +
                                 edges_of_three_lines.bottom() <=
                             height_;
}

/// Whatever the present answer is.
int AnswerBox::heightOfLines() const {
    const QMargins& edges = hasThreeLines() ? edges_of_three_lines : usual_edges;
    const int count = hasThreeLines() ? 3 : one_line_ ? 1 : 2;
    return count * fontMetrics().height() + (count - 1) * between_lines + edges.top() + edges.bottom();
}

void AnswerBox::wrap() {
    const int room = width() - usual_edges.left() - usual_edges.right();
    QString first = joined(parts_), rest;
    if (hasThreeLines() && fontMetrics().horizontalAdvance(first) > room)
        std::tie(first, rest) = brokenAt(first, room, fontMetrics());
    details_->setText(first);
    more_->setText(rest);
    layout()->setContentsMargins(hasThreeLines() ? edges_of_three_lines : usual_edges);
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
    return {letters * fontMetrics().horizontalAdvance(QLatin1Char('0')), heightOfLines()};
}

QSize AnswerBox::sizeHint() const {
    if (one_line_)
        return {room_, heightOfLines()};
    const QSize most = sizeFor(usual_letters);
    const int claim = widest_claim_ + usual_edges.left() + usual_edges.right();
    const int usual =
        hasThreeLines() ? std::clamp(claim, sizeFor(letters_of_three_lines).width(), most.width()) : most.width();
    const int least = hasThreeLines() ? usual : sizeFor(least_usual_letters).width();
    // Where not all chips have room, they have half of the line, as long as most claims are whole.
    const int narrow = sizeFor(letters_of_a_claim).width();
    const int shared = std::max(std::min(yields_ ? claim : usual, line_ / 2), narrow);
    const bool fits = yields_ && room_ >= std::max(claim, narrow);
    const int width = room_ >= least || fits ? room_ : shared;
    return {std::min(width, sizeFor(most_letters).width()), most.height()};
}

void AnswerBox::setRoom(int width, int line, int height) {
    room_ = width;
    line_ = line;
    height_ = height;
    wrap();
    if (const QSize hint = sizeHint(); hint != hinted_) {
        hinted_ = hint;
        updateGeometry();
    }
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

} // namespace attnlab::ui
