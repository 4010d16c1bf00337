#include "ui/panels/mechanism/row_button.h"

#include "ui/widgets/theme.h"

#include <QMenu>
#include <QPainter>
#include <QStyle>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int least_margin_y = 4;

} // namespace

RowButton::RowButton(QWidget* parent, Style style) : QPushButton(parent), style_(style) {
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

int RowButton::arrowWidth() const { return 8; }

QRect RowButton::contentRect() const {
    return rect().adjusted(metrics::side_padding, least_margin_y, -metrics::side_padding, -least_margin_y);
}

QSize RowButton::sizeHint() const {
    ensurePolished();
    QSize size(fontMetrics().horizontalAdvance(text()), 0);
    if (!icon().isNull()) {
        size.rwidth() += iconSize().width() + (text().isEmpty() ? 0 : metrics::gap);
        size.setHeight(iconSize().height());
    }
    if (menu())
        size.rwidth() += metrics::gap + arrowWidth();
    return {size.width() + 2 * metrics::side_padding,
            std::max(controlHeight(font()), size.height() + 2 * least_margin_y)};
}

QSize RowButton::minimumSizeHint() const { return sizeHint(); }

QColor RowButton::textColor() const { return look().text(); }

ControlLook RowButton::look() const {
    return {.kind = style_ == Style::Accent ? ControlLook::Kind::Accent : ControlLook::Kind::Button,
            .enabled = isEnabled(),
            .hovered = underMouse(),
            .pressed = isDown(),
            .chosen = isChecked(),
            .focused = hasFocus()};
}

void RowButton::paintFrame(QPainter& painter) const { paintControl(painter, rect(), look()); }

void RowButton::paintArrow(QPainter& painter) const {
    QRect place = contentRect();
    place.setLeft(place.right() + 1 - arrowWidth());
    paintChevron(painter, QStyle::visualRect(layoutDirection(), rect(), place), Qt::DownArrow,
                 isEnabled() ? textColor() : theme().outline);
}

void RowButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintFrame(painter);
    QRect content = contentRect();
    if (menu()) {
        paintArrow(painter);
        content.adjust(0, 0, -metrics::gap - arrowWidth(), 0);
    }
    if (!icon().isNull()) {
        const QRect place(QPoint(content.left(), content.center().y() - iconSize().height() / 2 + 1), iconSize());
        icon().paint(&painter, place, Qt::AlignCenter,
                     !isEnabled()              ? QIcon::Disabled
                     : style_ == Style::Accent ? QIcon::Selected
                                               : QIcon::Normal);
        content.setLeft(place.right() + 1 + metrics::gap);
    }
    painter.setPen(textColor());
    painter.drawText(content, Qt::AlignCenter | Qt::TextShowMnemonic, text());
}

} // namespace attnlab::ui
