#include "ui/learn/option_button.h"

#include "ui/text.h"
#include "ui/theme.h"

#include <QPainter>

#include <cmath>

namespace attnlab::ui {
namespace {

constexpr int option_margin_x = 11;
constexpr int option_margin_y = 7;
constexpr int option_gap = 2;
constexpr int option_any_height = 10000;

} // namespace

OptionButton::OptionButton(const QString& words, QWidget* parent) : CardButton(parent) {
    setWords(*this, words);
    setAccessibleName(words);
}

void OptionButton::setMark(Mark mark, const QString& measured) {
    mark_ = mark;
    measured_ = measured;
    const QString state = mark == Mark::Right   ? tr("%1: right").arg(text())
                          : mark == Mark::Wrong ? tr("%1: chosen, not right").arg(text())
                                                : text();
    setAccessibleName(state);
    setAccessibleDescription(measured);
    updateGeometry();
    update();
}

QString OptionButton::words() const {
    return mark_ == Mark::Right   ? text() + QStringLiteral("   ✓")
           : mark_ == Mark::Wrong ? text() + QStringLiteral("   ✗")
                                  : text();
}

int OptionButton::heightForWidth(int width) const {
    const QRect room(0, 0, std::max(40, width - 2 * option_margin_x), option_any_height);
    int height = fontMetrics().boundingRect(room, Qt::AlignLeft | Qt::TextWordWrap, words()).height();
    if (!measured_.isEmpty())
        height += option_gap + fontMetrics().boundingRect(room, Qt::AlignLeft | Qt::TextWordWrap, measured_).height();
    return height + 2 * option_margin_y;
}

QSize OptionButton::sizeHint() const {
    constexpr int usual_width = 260;
    return {usual_width, heightForWidth(usual_width)};
}

QSize OptionButton::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * 10 + 2 * option_margin_x, fontMetrics().height() + 2 * option_margin_y};
}

void OptionButton::paintEvent(QPaintEvent*) {
    const Theme& look = theme();
    QPainter painter(this);
    const bool marked = mark_ != Mark::None;
    const QColor strong = mark_ == Mark::Wrong ? look.error_text : look.accent;
    paintFrame(painter, marked || hasFocus() ? strong : look.border, hasFocus() || mark_ == Mark::Right,
               mark_ == Mark::Right || isDown());

    QRect room = rect().adjusted(option_margin_x, option_margin_y, -option_margin_x, -option_margin_y);
    painter.setPen(marked ? strong : look.text);
    QRect taken;
    painter.drawText(room, Qt::AlignLeft | Qt::TextWordWrap, words(), &taken);
    if (measured_.isEmpty())
        return;
    room.setTop(taken.bottom() + 1 + option_gap);
    painter.setPen(mark_ == Mark::Right ? look.text : look.muted);
    painter.drawText(room, Qt::AlignLeft | Qt::TextWordWrap, measured_);
}

} // namespace attnlab::ui
