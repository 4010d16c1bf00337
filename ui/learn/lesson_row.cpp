#include "ui/learn/lesson_row.h"

#include "ui/text.h"
#include "ui/theme.h"

#include <QPainter>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int row_margin_x = 14;
constexpr int row_margin_y = 8;
constexpr int lesson_gap = 12;
constexpr int row_line_gap = 3;
constexpr int row_any_height = 10000;

} // namespace

LessonRow::LessonRow(QWidget* parent) : CardButton(parent) {}

void LessonRow::setContent(const Content& content) {
    content_ = content;
    setWords(*this, content.title);
    setAccessibleName(content.number > 0 ? tr("Lesson %1: %2").arg(content.number).arg(content.title) : content.title);
    setAccessibleDescription(content.summary + QLatin1Char('\n') + progressText());
    updateGeometry();
    update();
}

QString LessonRow::progressText() const {
    const QString steps = tr("%1 of %2 steps").arg(content_.seen).arg(content_.steps);
    if (content_.questions == 0)
        return steps;
    return tr("%1 · %2 of %3 questions", "steps, questions").arg(steps).arg(content_.answered).arg(content_.questions);
}

QString LessonRow::doText() const {
    if (content_.seen == 0)
        return tr("Start");
    return content_.seen >= content_.steps ? tr("Again") : tr("Continue");
}

QFont LessonRow::titleFont() const {
    QFont large = font();
    large.setBold(true);
    if (large.pointSizeF() > 0)
        large.setPointSizeF(large.pointSizeF() * 1.12);
    return large;
}

int LessonRow::numberWidth() const { return fontMetrics().height() * 2; }

int LessonRow::progressWidth() const { return fontMetrics().averageCharWidth() * 28; }

int LessonRow::heightForWidth(int width) const {
    const int room = std::max(80, width - 2 * row_margin_x - 2 * lesson_gap - numberWidth() - progressWidth());
    const QRect free(0, 0, room, row_any_height);
    const int words = QFontMetrics(titleFont()).boundingRect(free, Qt::TextWordWrap, content_.title).height() +
                      row_line_gap + fontMetrics().boundingRect(free, Qt::TextWordWrap, content_.summary).height();
    const int beside = 2 * fontMetrics().height() + fontMetrics().height() / 3 + 3 * row_line_gap + 4;
    return std::max(words, beside) + 2 * row_margin_y;
}

QSize LessonRow::sizeHint() const {
    constexpr int usual_width = 760;
    return {usual_width, heightForWidth(usual_width)};
}

QSize LessonRow::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * 50, 3 * fontMetrics().height() + 2 * row_margin_y};
}

void LessonRow::paintProgress(QPainter& painter, const QRect& place) const {
    const Theme& look = theme();
    const int line = fontMetrics().height();
    QRect bar(place.left(), place.top() + line + row_line_gap + 2, place.width(), std::max(5, line / 3));
    painter.setPen(look.accent);
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.drawText(QRect(place.topLeft(), QSize(place.width(), line)), Qt::AlignLeft | Qt::AlignVCenter, doText());
    painter.setFont(font());
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.border);
    painter.drawRoundedRect(bar, bar.height() / 2.0, bar.height() / 2.0);
    if (content_.steps > 0 && content_.seen > 0) {
        QRect done = bar;
        done.setWidth(std::max(bar.height(), bar.width() * content_.seen / content_.steps));
        painter.setBrush(look.accent);
        painter.drawRoundedRect(done, bar.height() / 2.0, bar.height() / 2.0);
    }
    painter.setPen(look.muted);
    painter.drawText(QRect(place.left(), bar.bottom() + row_line_gap + 2, place.width(), place.bottom() - bar.bottom()),
                     Qt::AlignLeft | Qt::AlignTop, progressText());
}

void LessonRow::paintEvent(QPaintEvent*) {
    const Theme& look = theme();
    QPainter painter(this);
    paintFrame(painter, hasFocus() ? look.accent : look.border, hasFocus(), isDown());

    const QRect content = rect().adjusted(row_margin_x, row_margin_y, -row_margin_x, -row_margin_y);
    if (content_.number > 0) {
        QFont large = titleFont();
        large.setPointSizeF(std::max(1.0, large.pointSizeF() * 1.5));
        painter.setFont(large);
        painter.setPen(look.muted);
        painter.drawText(QRect(content.left(), content.top(), numberWidth(), content.height()),
                         Qt::AlignHCenter | Qt::AlignVCenter, QString::number(content_.number));
    }
    const QRect progress(content.right() + 1 - progressWidth(), content.top(), progressWidth(), content.height());
    QRect words(content.left() + numberWidth() + lesson_gap, content.top(), 0, content.height());
    words.setRight(progress.left() - lesson_gap);
    QRect taken;
    painter.setFont(titleFont());
    painter.setPen(look.text);
    painter.drawText(words, Qt::TextWordWrap, content_.title, &taken);
    words.setTop(taken.bottom() + 1 + row_line_gap);
    painter.setFont(font());
    painter.setPen(look.muted);
    painter.drawText(words, Qt::TextWordWrap, content_.summary);
    paintProgress(painter, progress);
}

} // namespace attnlab::ui
