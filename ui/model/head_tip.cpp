#include "ui/model/head_tip.h"

#include "ui/widgets/theme.h"

#include <algorithm>
#include <QPainter>
#include <QScreen>
#include <QToolTip>

namespace attnlab::ui {
namespace {

constexpr int margin = 6, gap = 4, below_mouse = 18, beside_mouse = 12;
constexpr int widest_text = 420;

} // namespace

HeadTip::HeadTip(QWidget* owner) : QWidget(owner, Qt::ToolTip | Qt::FramelessWindowHint) {
    setAttribute(Qt::WA_ShowWithoutActivating);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setFont(QToolTip::font());
    constexpr int delay_milliseconds = 120;
    hiding_.setSingleShot(true);
    hiding_.setInterval(delay_milliseconds);
    connect(&hiding_, &QTimer::timeout, this, &QWidget::hide);
}

void HeadTip::showAt(const QPoint& at, const QImage& picture, const QString& text) {
    hiding_.stop();
    picture_ = picture.scaled(side, side, Qt::KeepAspectRatio);
    text_ = text;
    const int words = std::min(fontMetrics().horizontalAdvance(text_) + 1, widest_text);
    resize(std::max(side, words) + 2 * margin, side + gap + fontMetrics().height() + 2 * margin);
    QPoint corner = at + QPoint(beside_mouse, below_mouse);
    if (const QScreen* on = parentWidget()->screen()) {
        const QRect room = on->availableGeometry();
        corner.setX(std::clamp(corner.x(), room.left(), std::max(room.left(), room.right() - width())));
        if (corner.y() + height() > room.bottom())
            corner.setY(std::max(room.top(), at.y() - height() - gap));
    }
    move(corner);
    setVisible(true);
    raise();
    update();
}

void HeadTip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(theme().border);
    painter.setBrush(theme().card);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    painter.drawImage(QPoint((width() - picture_.width()) / 2, margin + (side - picture_.height()) / 2), picture_);
    painter.setPen(theme().text);
    const QRect line(margin, margin + side + gap, width() - 2 * margin, fontMetrics().height());
    painter.drawText(line, Qt::AlignCenter | Qt::TextSingleLine,
                     fontMetrics().elidedText(text_, Qt::ElideRight, line.width()));
}

} // namespace attnlab::ui
