#include "ui/widgets/card.h"

#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/theme.h"

#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <vector>

namespace attnlab::ui {
void paintCard(QWidget& widget) {
    QPainter painter(&widget);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme().border);
    painter.setBrush(theme().card);
    painter.drawRoundedRect(QRectF(widget.rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::radius, metrics::radius);
}

PlainCard::PlainCard(QBoxLayout::Direction direction, QWidget* parent)
    : QWidget(parent), content_(new QBoxLayout(direction, this)) {
    content_->setContentsMargins(10, 8, 10, 8);
    content_->setSpacing(6);
}

void PlainCard::paintEvent(QPaintEvent*) { paintCard(*this); }

void showWithin(QWidget* widget, bool shown) {
    if (widget->isHidden() != shown)
        return;
    std::vector<QLayout*> asleep;
    for (auto* around = widget; around; around = around->isWindow() ? nullptr : around->parentWidget())
        if (auto* layout = around->layout(); layout && layout->isEnabled()) {
            layout->setEnabled(false);
            asleep.push_back(layout);
        }
    widget->setVisible(shown);
    for (auto* layout : asleep)
        layout->setEnabled(true);
    // What changed in the layout of a hidden widget is still to be done; until then further changes would not ask for
    // it.
    if (shown)
        QCoreApplication::postEvent(widget, new QEvent(QEvent::LayoutRequest));
}

void placeForTab(QWidget* after, QWidget* added) {
    // Qt orders only focusable widgets, and a part of `added` placed before it would break the ring.
    QWidget* stop = after;
    while (stop->focusPolicy() == Qt::NoFocus || stop == added || added->isAncestorOf(stop)) {
        stop = stop->previousInFocusChain();
        if (stop == after)
            return;
    }
    QWidget::setTabOrder(stop, added);
}

QLabel* mutedLabel(QWidget* parent, bool bold) {
    auto* label = new WrappedLabel(parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    if (bold) {
        QFont heading = label->font();
        heading.setBold(true);
        label->setFont(heading);
    }
    return label;
}

MarkdownLabel* mutedMarkdownLabel(QWidget* parent) {
    auto* label = new MarkdownLabel(parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

void paintFocusFrame(QPainter& painter, const QWidget& widget) { paintFocusRing(painter, widget.rect()); }

Card::Card(QWidget* parent)
    : QWidget(parent), title_(mutedLabel(this, true)), aside_(mutedLabel(this, true)), body_(new QVBoxLayout) {
    auto* heading = new QHBoxLayout;
    heading->addWidget(title_, 1);
    heading->addWidget(aside_);
    title_->setWordWrap(true);
    title_->setMinimumWidth(40); // so that a long word does not widen the card
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(11, 9, 11, 10);
    layout->setSpacing(6);
    layout->addLayout(heading);
    layout->addLayout(body_);
    body_->setSpacing(6);
}

void Card::setTitle(const QString& title, const QString& help) {
    title_->setText(title);
    title_->setToolTip(help);
}

void Card::setHeadingNote(const QString& text, const QString& help) {
    aside_->setText(text);
    aside_->setToolTip(help);
    aside_->setVisible(!text.isEmpty());
}

QString Card::title() const { return title_->text(); }
QString Card::aside() const { return aside_->text(); }

void Card::paintEvent(QPaintEvent*) { paintCard(*this); }

} // namespace attnlab::ui
