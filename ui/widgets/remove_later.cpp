#include "ui/widgets/remove_later.h"

#include <QWidget>

namespace attnlab::ui {

void removeLater(QWidget* widget) {
    if (!widget)
        return;
    widget->blockSignals(true);
    for (auto* child : widget->findChildren<QObject*>())
        child->blockSignals(true);
    widget->hide();
    widget->setParent(nullptr); // also out of its layout
    widget->deleteLater();
}

} // namespace attnlab::ui
