#include "ui/model/page_parts.h"

#include "ui/widgets/card.h"
#include "ui/widgets/labels.h"

#include <QPushButton>

namespace attnlab::ui {

PlainCard::PlainCard(QBoxLayout::Direction direction, QWidget* parent)
    : QWidget(parent), content_(new QBoxLayout(direction, this)) {
    content_->setContentsMargins(10, 8, 10, 8);
    content_->setSpacing(6);
}

void PlainCard::paintEvent(QPaintEvent*) { paintCard(*this); }

QPushButton* newButton(const QString& text, const QString& tip) {
    auto* button = new QPushButton(text);
    button->setToolTip(tip);
    return button;
}

ElidedLabel* makeLineLabel(LineStyle look) {
    auto* line = new ElidedLabel;
    if (look == LineStyle::Muted)
        line->setForegroundRole(QPalette::PlaceholderText);
    QFont font = line->font();
    font.setBold(look == LineStyle::Bold);
    line->setFont(font);
    line->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    return line;
}

} // namespace attnlab::ui
