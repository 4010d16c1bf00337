#include "ui/learn/lesson_row.h"

#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>

#include <algorithm>

namespace attnlab::ui {

LessonRow::LessonRow(QWidget* parent) : CardButton(new QHBoxLayout, parent) {
    auto& row = static_cast<QBoxLayout&>(*layout());
    row.setContentsMargins(14, 8, 14, 8);
    row.setSpacing(12);
    number_ = addWords(row, QPalette::PlaceholderText);
    number_->setAlignment(Qt::AlignCenter);
    auto* words = new QVBoxLayout;
    words->setSpacing(3);
    row.addLayout(words, 1);
    title_ = addWords(*words, QPalette::WindowText);
    summary_ = addWords(*words, QPalette::PlaceholderText);
    words->addStretch(1);
    beside_ = new QWidget(this);
    beside_->setAttribute(Qt::WA_TransparentForMouseEvents);
    row.addWidget(beside_, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(beside_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    next_ = addWords(*column, QPalette::Highlight);
    QFont bold;
    bold.setBold(true); // and no size, which is inherited
    next_->setFont(bold);
    bar_ = new QProgressBar(beside_);
    bar_->setTextVisible(false);
    column->addWidget(bar_);
    progress_ = addWords(*column, QPalette::PlaceholderText);
    fit();
}

/// Widths are measured in letters.
void LessonRow::fit() {
    constexpr int progress_letters = 28;
    number_->setFixedWidth(2 * fontMetrics().height());
    beside_->setFixedWidth(progress_letters * fontMetrics().averageCharWidth());
    bar_->setFixedHeight(std::max(5, fontMetrics().height() / 3));
    QFont large = font();
    large.setBold(true);
    large.setPointSizeF(std::max(1.0, font().pointSizeF() * 1.12));
    title_->setFont(large);
    large.setPointSizeF(large.pointSizeF() * 1.5);
    number_->setFont(large);
}

void LessonRow::setContent(const Content& content) {
    setWords(*this, content.title);
    number_->setText(content.number > 0 ? QString::number(content.number) : QString());
    title_->setText(content.title);
    summary_->setText(content.summary);
    next_->setText(content.seen == 0 ? tr("Start") : content.finished ? tr("Again") : tr("Continue"));
    bar_->setRange(0, std::max(1, content.steps));
    bar_->setValue(content.seen);
    const QString steps = tr("%1 of %2 steps").arg(content.seen).arg(content.steps);
    progress_->setText(content.questions == 0 ? steps
                                              : tr("%1 · %2 of %3 questions", "steps, questions")
                                                    .arg(steps)
                                                    .arg(content.answered)
                                                    .arg(content.questions));
    setAccessibleName(content.number > 0 ? tr("Lesson %1: %2").arg(content.number).arg(content.title) : content.title);
    setAccessibleDescription(content.summary + QLatin1Char('\n') + progressText());
}

QString LessonRow::progressText() const { return progress_->text(); }

QString LessonRow::nextText() const { return next_->text(); }

void LessonRow::paintEvent(QPaintEvent*) {
    paintFrame(hasFocus() ? theme().accent : theme().outline, hasFocus(), isDown());
}

void LessonRow::changeEvent(QEvent* event) {
    CardButton::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

} // namespace attnlab::ui
