#include "ui/learn/lesson/question_view.h"

#include "ui/widgets/controls.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QAccessible>
#include <QLabel>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

MarkdownLabel* makeText(QWidget* parent) {
    auto* label = new MarkdownLabel(parent, TextSpacing::Reading);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

QuestionView::QuestionView(QWidget* parent)
    : QWidget(parent), text_(makeText(this)), column_(new QVBoxLayout), hint_(makeText(this)),
      show_(new RowButton(this)), answer_(makeText(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    QFont bold;
    bold.setBold(true); // and no size, which is inherited
    text_->setFont(bold);
    layout->addWidget(text_);
    layout->addLayout(column_);
    layout->addWidget(hint_);
    layout->addWidget(show_, 0, Qt::AlignLeft);
    layout->addWidget(answer_);
    column_->setSpacing(6);
    show_->setAutoDefault(true); // Enter works like Space
    show_->setText(QStringLiteral("0   %1").arg(tr("Show the answer")));
    show_->setAccessibleName(tr("Show the answer"));
    connect(show_, &QPushButton::clicked, this, &QuestionView::answerRequested);
}

void QuestionView::setQuestion(const StepQuestion& question, const QString& chosen, const QString& tried) {
    const auto same_option = [](const QuestionOption& a, const QuestionOption& b) {
        return a.id == b.id && a.text == b.text;
    };
    // Keeps buttons while numbers change: one of them may have the focus.
    const bool same = std::ranges::equal(question.options, question_.options, same_option);
    const bool had_hint = hasHint();
    question_ = question;
    chosen_ = chosen;
    tried_ = tried;
    if (!same)
        makeButtons();
    renew();
    if (hasHint() && !had_hint && hint_->isVisible()) {
        QAccessibleEvent alert(hint_, QAccessible::Alert);
        QAccessible::updateAccessibility(&alert);
    }
}

void QuestionView::makeButtons() {
    std::ranges::for_each(buttons_, removeSafely);
    buttons_.clear();
    for (const auto& option : question_.options) {
        auto* button = new OptionButton(static_cast<int>(buttons_.size()) + 1, option.text, this);
        button->setObjectName(option.id);
        column_->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, id = option.id] { emit optionChosen(id); });
        buttons_.push_back(button);
    }
}

void QuestionView::renew() {
    const bool revealed = !chosen_.isEmpty();
    text_->setSource(question_.text);
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        const auto& option = question_.options[i];
        const bool wrong = !option.right && (option.id == chosen_ || option.id == tried_);
        const auto mark = revealed && option.right ? OptionButton::Mark::Right
                          : wrong                  ? OptionButton::Mark::Wrong
                                                   : OptionButton::Mark::None;
        buttons_[i]->setMark(mark, revealed ? option.measured : QString());
        buttons_[i]->setEnabled(revealed || option.id != tried_);
    }
    hint_->setSource(question_.hint);
    hint_->setAccessibleName(plainText(question_.hint));
    showParts(Options::All, Reasons::All, answer());
}

bool QuestionView::shows(std::size_t option, Options options) const {
    const auto& one = question_.options[option];
    switch (options) {
    case Options::All:
        return true;
    case Options::Answered:
        return one.right || one.id == chosen_;
    case Options::Right:
        return one.right;
    case Options::None:
        break;
    }
    return false;
}

bool QuestionView::hasReason(std::size_t option, Reasons reasons) const {
    return reasons == Reasons::All || (reasons == Reasons::Chosen && question_.options[option].id == chosen_);
}

void QuestionView::showParts(Options options, Reasons reasons, const QString& answer) {
    const bool all = options == Options::All;
    text_->setVisible(options != Options::None);
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        buttons_[i]->showMeasured(hasReason(i, reasons));
        buttons_[i]->setVisible(shows(i, options));
    }
    hint_->setVisible(all && hasHint());
    show_->setVisible(all && hasHint());
    answer_->setSource(answer);
    answer_->setVisible(!answer.isEmpty());
    // Layouts remember heights of parts that were hidden or had another text.
    for (QWidget* part : std::initializer_list<QWidget*>{text_, hint_, show_, answer_})
        part->updateGeometry();
    for (auto* button : buttons_)
        button->updateGeometry();
}

int QuestionView::optionsHeight(int width, Options options, Reasons reasons) const {
    if (isEmpty() || options == Options::None)
        return 0;
    int height = text_->heightForWidth(width) + layout()->spacing();
    for (std::size_t i = 0; i < buttons_.size(); ++i)
        if (shows(i, options))
            height += column_->spacing() + buttons_[i]->heightWith(hasReason(i, reasons), width);
    if (hasHint() && options == Options::All)
        height += 2 * layout()->spacing() + hint_->heightForWidth(width) + show_->sizeHint().height();
    return height;
}

QString QuestionView::answerText() const { return chosen_.isEmpty() ? QString() : plainText(question_.answer); }

QString QuestionView::hintText() const { return hasHint() ? plainText(question_.hint) : QString(); }

void QuestionView::requestAnswer() {
    if (hasHint())
        show_->click();
}

void QuestionView::choose(int option) {
    if (option >= 0 && option < static_cast<int>(buttons_.size()))
        buttons_[static_cast<std::size_t>(option)]->click();
}

OptionButton::OptionButton(int number, const QString& words, QWidget* parent)
    : CardButton(new QVBoxLayout, parent), number_(number) {
    auto& column = static_cast<QBoxLayout&>(*layout());
    column.setContentsMargins(11, 7, 11, 7);
    column.setSpacing(2);
    words_ = addWords(column, QPalette::WindowText);
    measured_ = addWords(column, QPalette::WindowText);
    setWords(*this, words);
    setMark(Mark::None, {});
}

void OptionButton::setMark(Mark mark, const QString& measured) {
    mark_ = mark;
    setAccessibleName(mark == Mark::Right   ? tr("%1: right").arg(text())
                      : mark == Mark::Wrong ? tr("%1: chosen, not right").arg(text())
                                            : text());
    setAccessibleDescription(measured);
    const QString words = number_ <= 9 ? QStringLiteral("%1   %2").arg(QString::number(number_), text()) : text();
    words_->setText(mark == Mark::Right   ? words + QStringLiteral("   ✓")
                    : mark == Mark::Wrong ? words + QStringLiteral("   ✗")
                                          : words);
    words_->setForegroundRole(mark == Mark::Right   ? QPalette::Highlight
                              : mark == Mark::Wrong ? QPalette::BrightText
                                                    : QPalette::WindowText);
    measured_->setText(measured);
    measured_->setForegroundRole(mark == Mark::Right ? QPalette::WindowText : QPalette::PlaceholderText);
    showMeasured(shows_measured_);
    update();
}

void OptionButton::showMeasured(bool on) {
    shows_measured_ = on;
    measured_->setVisible(on && !measured_->text().isEmpty());
}

int OptionButton::heightWith(bool measured, int width) const {
    const QMargins margins = layout()->contentsMargins();
    const int inside = width - margins.left() - margins.right();
    int height = margins.top() + words_->heightForWidth(inside) + margins.bottom();
    if (measured && !measured_->text().isEmpty())
        height += layout()->spacing() + measured_->heightForWidth(inside);
    return height;
}

QString OptionButton::measured() const { return measured_->text(); }

void OptionButton::paintEvent(QPaintEvent*) {
    const Theme& look = theme();
    const QColor strong = mark_ == Mark::Wrong ? look.error_text : look.accent;
    paintFrame(mark_ != Mark::None || showsFocus(*this) ? strong : look.outline,
               showsFocus(*this) || mark_ == Mark::Right, mark_ == Mark::Right || isDown());
}

} // namespace attnlab::ui
