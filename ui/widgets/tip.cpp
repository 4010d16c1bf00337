#include "ui/widgets/tip.h"

#include "ui/widgets/text.h"

#include <QHelpEvent>
#include <QToolTip>

namespace attnlab::ui {

QPoint tipPosition(const QEvent& event) { return static_cast<const QHelpEvent&>(event).pos(); }

void showTip(QEvent& event, const QString& text, QWidget& widget, const QRect& place) {
    if (text.isEmpty()) {
        QToolTip::hideText();
        event.ignore();
    } else {
        QToolTip::showText(static_cast<const QHelpEvent&>(event).globalPos(), text, &widget, place);
    }
}

} // namespace attnlab::ui
