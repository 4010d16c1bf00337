#include "ui/widgets/tool_tray.h"

#include "ui/widgets/accessible.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <QShortcut>

namespace attnlab::ui {
namespace {

constexpr int margin_beside = 10, margin_above = 1;
constexpr int above_controls = 14; ///< a slider with names of its marks is higher than a button

bool holds(const QWidget* part, const QWidget* widget) {
    return part && (part == widget || part->isAncestorOf(widget));
}

} // namespace

ToolTray::ToolTray(const QString& name, QWidget* parent)
    : PlainCard(QBoxLayout::LeftToRight, parent), escape_(new QShortcut(Qt::Key_Escape, this)) {
    hide();
    setAccessibleRole(*this, QAccessible::Grouping);
    setAccessibleName(name);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    content()->setContentsMargins(margin_beside, margin_above, margin_beside, margin_above);
    content()->setSpacing(metrics::gap + 2);
    escape_->setEnabled(false);
    connect(escape_, &QShortcut::activated, this, [this] {
        const QPointer<QWidget> opener = opener_;
        close();
        if (opener)
            opener->setFocus(Qt::PopupFocusReason);
    });
}

QSize ToolTray::sizeHint() const { return {PlainCard::sizeHint().width(), controlHeight(font()) + above_controls}; }

/// A card that stands out from the one below.
void ToolTray::paintEvent(QPaintEvent* event) {
    PlainCard::paintEvent(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme().accent);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::radius, metrics::radius);
}

void ToolTray::toggle(QWidget& opener) {
    if (isOpen())
        return close();
    opener_ = &opener;
    show();
    raise();
    escape_->setEnabled(true);
    qApp->installEventFilter(this);
    if (takes_focus_)
        focusFirst();
    emit openChanged(true);
}

void ToolTray::close() {
    if (!isOpen())
        return;
    opener_ = nullptr;
    escape_->setEnabled(false);
    qApp->removeEventFilter(this);
    hide();
    emit openChanged(false);
}

/// The leftmost control.
void ToolTray::focusFirst() {
    content()->activate();
    QWidget* first = nullptr;
    for (QWidget* widget : findChildren<QWidget*>())
        if (widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) &&
            (!first || widget->mapTo(this, QPoint()).x() < first->mapTo(this, QPoint()).x()))
            first = widget;
    if (first)
        first->setFocus(Qt::PopupFocusReason);
}

/// Lists, menus and dialogs of its controls are other windows.
bool ToolTray::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::MouseButtonPress || !watched->isWidgetType())
        return false;
    const auto* pressed = static_cast<const QWidget*>(watched);
    if (pressed->window() == window() && !holds(this, pressed) && !holds(opener_, pressed) && !holds(canvas_, pressed))
        close();
    return false;
}

} // namespace attnlab::ui
