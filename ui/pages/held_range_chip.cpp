#include "ui/pages/held_range_chip.h"

#include "ui/document/view_state.h"
#include "ui/drawing/color_bar.h"
#include "ui/panels/setting_words.h"

#include <algorithm>
#include <array>

namespace attnlab::ui {
namespace {

constexpr qsizetype longest_setting = 28; ///< in characters; a longer one is in the tooltip alone

/// The setting that the range of a stage is from, where it is not the present one; else empty.
QString settingOf(const HeldRanges& held, std::string_view stage) {
    const auto found = held.stages.find(stage);
    if (found == held.stages.end() || !found->second.from || *found->second.from == held.now)
        return {};
    const std::array settings{*found->second.from, held.now};
    return SettingWords::ofEach(settings).front();
}

} // namespace

HeldRangeChip::HeldRangeChip(ViewState& view, QWidget* parent) : Chip(parent), view_(view) {
    setCheckable(false);
    hide();
    connect(this, &QAbstractButton::clicked, &view_, &ViewState::fitColors);
}

void HeldRangeChip::setScale(const ColorScale& scale, std::string_view stage, Settings settings) {
    if (!scale.held) {
        hide();
        return;
    }
    QStringList from;
    if (const QString a = settingOf(view_.held().a, stage); !a.isEmpty())
        from << (settings == Settings::Both ? tr("A: %1", "setting").arg(a) : a);
    if (const QString b = settingOf(view_.held().b, stage); settings == Settings::Both && !b.isEmpty())
        from << tr("B: %1", "setting").arg(b);
    const QString words = from.join(QStringLiteral(", "));
    texts_ = {tr("Range held"), tr("Held", "the range of the colours")};
    if (!words.isEmpty() && words.size() <= longest_setting)
        texts_.prepend(tr("Range held from %1").arg(words));
    fitText();
    QStringList help{words.isEmpty()
                         ? tr("The colours keep their range, so that a change of the numbers is seen.")
                         : tr("The colours keep the range of %1, so that a change of the numbers is seen.").arg(words)};
    if (const QString hidden = hiddenWords(scale); !hidden.isEmpty())
        help << hidden;
    help << tr("A click fits the range to the present numbers.");
    setToolTip(help.join(QLatin1Char('\n')));
    setAccessibleName(texts_.front());
    setAccessibleDescription(toolTip());
    updateGeometry();
    setVisible(true);
    update();
}

int HeldRangeChip::widthOf(const QString& text) const {
    return fontMetrics().horizontalAdvance(text) + 2 * metrics::field_padding;
}

QSize HeldRangeChip::sizeHint() const {
    constexpr int height = 24; // as little of the picture as a target may take
    return {texts_.isEmpty() ? 0 : widthOf(texts_.front()), std::max(height, fontMetrics().height() + 4)};
}

void HeldRangeChip::fitText() {
    const auto fits = [this](const QString& text) { return widthOf(text) <= width(); };
    const auto found = std::ranges::find_if(texts_, fits);
    setText(texts_.isEmpty() ? QString() : found == texts_.end() ? texts_.back() : *found);
}

void HeldRangeChip::resizeEvent(QResizeEvent* event) {
    Chip::resizeEvent(event);
    fitText();
}

} // namespace attnlab::ui
