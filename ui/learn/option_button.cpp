#include "ui/learn/option_button.h"

#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QLabel>
#include <QVBoxLayout>

namespace attnlab::ui {

OptionButton::OptionButton(const QString& words, QWidget* parent) : CardButton(new QVBoxLayout, parent) {
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
    words_->setText(mark == Mark::Right   ? text() + QStringLiteral("   ✓")
                    : mark == Mark::Wrong ? text() + QStringLiteral("   ✗")
                                          : text());
    words_->setForegroundRole(mark == Mark::Right   ? QPalette::Highlight
                              : mark == Mark::Wrong ? QPalette::BrightText
                                                    : QPalette::WindowText);
    measured_->setText(measured);
    measured_->setForegroundRole(mark == Mark::Right ? QPalette::WindowText : QPalette::PlaceholderText);
    measured_->setVisible(!measured.isEmpty());
    update();
}

QString OptionButton::measured() const { return measured_->text(); }

void OptionButton::paintEvent(QPaintEvent*) {
    const Theme& look = theme();
    const QColor strong = mark_ == Mark::Wrong ? look.error_text : look.accent;
    paintFrame(mark_ != Mark::None || hasFocus() ? strong : look.outline, hasFocus() || mark_ == Mark::Right,
               mark_ == Mark::Right || isDown());
}

} // namespace attnlab::ui
