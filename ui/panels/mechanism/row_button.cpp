#include "ui/panels/mechanism/row_button.h"

#include "ui/widgets/theme.h"

#include <QMenu>
#include <QPainter>
#include <QPainterPath>

namespace attnlab::ui {
namespace {

constexpr int button_margin_x = 10;
constexpr int button_margin_y = 6;
constexpr int button_gap = 6;
constexpr qreal radius = 6.0;

QColor mixed(const QColor& a, const QColor& b, qreal share_of_b) {
    const auto mix = [&](qreal x, qreal y) { return static_cast<float>(x + (y - x) * share_of_b); };
    return QColor::fromRgbF(mix(a.redF(), b.redF()), mix(a.greenF(), b.greenF()), mix(a.blueF(), b.blueF()));
}

} // namespace

RowButton::RowButton(QWidget* parent, Style style) : QPushButton(parent), style_(style) {
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

int RowButton::arrowWidth() const { return fontMetrics().height() / 2; }

QRect RowButton::contentRect() const {
    return rect().adjusted(button_margin_x, button_margin_y, -button_margin_x, -button_margin_y);
}

QSize RowButton::sizeHint() const {
    ensurePolished();
    const QFontMetrics metrics(font());
    QSize size(metrics.horizontalAdvance(text()), metrics.height());
    if (!icon().isNull()) {
        size.rwidth() += iconSize().width() + (text().isEmpty() ? 0 : button_gap);
        size.setHeight(std::max(size.height(), iconSize().height()));
    }
    if (menu())
        size.rwidth() += button_gap + arrowWidth();
    return size + QSize(2 * button_margin_x, 2 * button_margin_y);
}

QSize RowButton::minimumSizeHint() const { return sizeHint(); }

QColor RowButton::textColor() const {
    if (!isEnabled())
        return theme().muted;
    return palette().color(style_ == Style::Accent ? QPalette::HighlightedText : QPalette::ButtonText);
}

void RowButton::paintFrame(QPainter& painter) const {
    const Theme& colors = theme();
    QColor fill = style_ == Style::Accent && isEnabled() ? colors.accent : colors.window;
    const bool pressed = isDown() || isChecked();
    if (style_ == Style::Normal && pressed)
        fill = colors.accent_soft;
    else if (isEnabled() && (underMouse() || pressed))
        fill = mixed(fill, style_ == Style::Accent ? colors.card : colors.text, pressed ? 0.16 : 0.06);
    QColor edge = style_ == Style::Accent && isEnabled() ? colors.accent : colors.border;
    if (hasFocus())
        edge = style_ == Style::Accent ? colors.text : colors.accent;
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal width = hasFocus() ? 2.0 : 1.0;
    painter.setPen(QPen(edge, width));
    painter.setBrush(fill);
    const qreal inset = width / 2;
    painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), radius, radius);
}

void RowButton::paintArrow(QPainter& painter) const {
    const QRect content = contentRect();
    const qreal width = arrowWidth();
    const qreal right = layoutDirection() == Qt::RightToLeft ? content.left() + width : content.right() + 1.0;
    const qreal middle = rect().center().y() + 1.0;
    QPainterPath path(QPointF(right - width, middle - width / 4));
    path.lineTo(right - width / 2, middle + width / 4);
    path.lineTo(right, middle - width / 4);
    painter.setPen(QPen(isEnabled() ? theme().muted : theme().border, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

void RowButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintFrame(painter);
    QRect content = contentRect();
    if (menu()) {
        paintArrow(painter);
        content.adjust(0, 0, -button_gap - arrowWidth(), 0);
    }
    if (!icon().isNull()) {
        const QRect place(QPoint(content.left(), content.center().y() - iconSize().height() / 2 + 1), iconSize());
        icon().paint(&painter, place, Qt::AlignCenter, isEnabled() ? QIcon::Normal : QIcon::Disabled);
        content.setLeft(place.right() + 1 + button_gap);
    }
    painter.setPen(textColor());
    painter.drawText(content, Qt::AlignCenter | Qt::TextShowMnemonic, text());
}

} // namespace attnlab::ui
