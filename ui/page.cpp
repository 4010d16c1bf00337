#include "ui/page.h"

#include <QDialog>

namespace attnlab::ui {

void Page::open(QDialog* dialog) {
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

QString Page::pictureCopied() { return tr("The picture is on the clipboard"); }

} // namespace attnlab::ui
