#include "ui/model/answer_chip.h"

#include "ui/panels/ribbon/token_chips.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QAccessible>
#include <QPainter>
#include <QStyle>

namespace attnlab::ui {
namespace {

constexpr int arrow_room = 26, chips_gap = 6, chip_padding = 9;

QFont fontOf(QFont font, bool bold, bool crossed) {
    font.setBold(bold);
    font.setStrikeOut(crossed);
    return font;
}

} // namespace

AnswerChip::AnswerChip(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    setAccessibleRole(*this, QAccessible::StaticText);
}

QString AnswerChip::textOf(const NamedOutcome& outcome) {
    return QStringLiteral("%1  %2").arg(outcome.name.left(24), probabilityText(outcome.probability));
}

void AnswerChip::setAnswer(const std::optional<NamedOutcome>& now, const std::optional<NamedOutcome>& before) {
    const bool was_flipped = isFlipped();
    now_ = now;
    before_ = before;
    QString words;
    if (now_)
        words = isFlipped() ? tr("The answer is now %1, and was %2").arg(textOf(*now_), textOf(*before_))
                            : tr("The answer is %1").arg(textOf(*now_));
    setAccessibleName(words);
    setToolTip(words);
    if (isFlipped() != was_flipped) { // screen readers say it at once
        QAccessibleEvent flipped(this, QAccessible::Alert);
        QAccessible::updateAccessibility(&flipped);
    }
    updateGeometry();
    update();
}

void AnswerChip::setChipTop(int top) {
    top_ = top;
    update();
}

int AnswerChip::widthOf(const QString& text) const {
    return QFontMetrics(fontOf(font(), true, false)).horizontalAdvance(text) + 2 * chip_padding;
}

QSize AnswerChip::sizeHint() const {
    if (!now_)
        return {0, chipHeight(fontMetrics())};
    int width = arrow_room + widthOf(textOf(*now_));
    if (isFlipped())
        width += chips_gap + widthOf(textOf(*before_));
    return {width, top_ + chipHeight(fontMetrics())};
}

void AnswerChip::paintEvent(QPaintEvent*) {
    if (!now_)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int chip = chipHeight(fontMetrics());
    int left = 0;
    const auto take = [&](int width) {
        const QRect part(left, top_, width, chip);
        left += width;
        return QStyle::visualRect(layoutDirection(), rect(), part);
    };
    painter.setPen(theme().muted);
    painter.drawText(take(arrow_room), Qt::AlignCenter,
                     layoutDirection() == Qt::RightToLeft ? QStringLiteral("←") : QStringLiteral("→"));
    const auto draw = [&](const NamedOutcome& outcome, const ChipLook& look, bool crossed) {
        painter.setFont(fontOf(font(), !crossed, crossed));
        paintChip(painter, take(widthOf(textOf(outcome))), textOf(outcome), look);
    };
    const Theme& look = theme();
    const QColor ink = contrastOf(look.card, look.pin) > contrastOf(look.text, look.pin) ? look.card : look.text;
    draw(*now_, {.border = QPen(look.pin, 1.0), .fill = look.pin, .text = ink}, false);
    if (!isFlipped())
        return;
    left += chips_gap;
    draw(*before_, {.border = QPen(look.outline, 1.0, Qt::DashLine), .fill = look.card, .text = look.muted}, true);
}

} // namespace attnlab::ui
