#include "ui/panels/ribbon/token_preview.h"

#include "ui/panels/ribbon/token_chip.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/tip.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int word_gap = 6, usual_preview_width = 480;

} // namespace

TokenPreview::TokenPreview(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(*this, QAccessible::Graphic);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void TokenPreview::setWords(const std::vector<std::string>& words, const std::vector<std::int64_t>& rows) {
    words_.clear();
    QStringList fresh;
    for (std::size_t i = 0; i < words.size(); ++i) {
        words_.push_back({shownToken(textOf(words[i])), rows[i] < 0});
        if (rows[i] < 0)
            fresh << words_.back().text;
    }
    setAccessibleDescription(fresh.isEmpty() ? tr("No word is new") : tr("New: %1").arg(fresh.join(tr(", "))));
    updateGeometry();
    update();
}

std::vector<QRect> TokenPreview::placed(int width) const {
    const QFontMetrics metrics(font());
    const int height = chipHeight(metrics);
    std::vector<QRect> boxes;
    int x = 0, y = 0;
    for (const auto& word : words_) {
        const int box = chipWidth(metrics, word.text);
        if (x > 0 && x + box > width) {
            x = 0;
            y += height + word_gap;
        }
        boxes.emplace_back(x, y, std::min(box, std::max(1, width)), height);
        x += box + word_gap;
    }
    return boxes;
}

int TokenPreview::heightForWidth(int width) const {
    const auto boxes = placed(width);
    return boxes.empty() ? chipHeight(QFontMetrics(font())) : boxes.back().bottom() + 1;
}

QSize TokenPreview::sizeHint() const { return {usual_preview_width, heightForWidth(usual_preview_width)}; }

void TokenPreview::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto boxes = placed(width());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        ChipLook look{Qt::NoPen, theme().accent_soft, theme().text};
        if (words_[i].is_new)
            look = {QPen(theme().pin, 1.2, Qt::DashLine), theme().card, theme().text};
        paintChip(painter, boxes[i], words_[i].text, look);
    }
}

bool TokenPreview::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto boxes = placed(width());
    const auto found =
        std::ranges::find_if(boxes, [at = tipPosition(*event)](const QRect& box) { return box.contains(at); });
    const auto index = static_cast<std::size_t>(found - boxes.begin());
    showTip(*event,
            found == boxes.end()   ? QString()
            : words_[index].is_new ? tr("“%1”: new, with random numbers").arg(words_[index].text)
                                   : tr("“%1”: known").arg(words_[index].text),
            *this);
    return true;
}

} // namespace attnlab::ui
