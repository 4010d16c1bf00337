// Asks questions in a message box.
#pragma once

#include <QList>
#include <QMessageBox>

#include <utility>

namespace attnlab::ui {

struct BoxText {
    QString title;
    QString text;
};

/// Waits for one of `buttons`; `usual` is the default for Enter. Title and text are plain text.
QMessageBox::StandardButton ask(QWidget* window, QMessageBox::Icon icon, const BoxText& text,
                                QMessageBox::StandardButtons buttons, QMessageBox::StandardButton usual);

/// The same with custom buttons, in order, and Cancel; the first is the default. Returns the index of the chosen one,
/// or -1.
int askWhich(QWidget* window, QMessageBox::Icon icon, const BoxText& text,
             const QList<std::pair<QString, QMessageBox::ButtonRole>>& buttons);

} // namespace attnlab::ui
