// Asks questions in a message box.
#pragma once

#include <QList>
#include <QMessageBox>

#include <utility>

namespace attnlab::ui {

struct BoxText {
    QString title;
    QString text;
    QString details = {}; ///< below the text: what would be lost
};

/// Waits for one of `buttons`; `usual` is the default for Enter. All text is plain text.
QMessageBox::StandardButton ask(QWidget* window, const BoxText& text, QMessageBox::StandardButtons buttons,
                                QMessageBox::StandardButton usual);

/// The same with custom buttons, in order, and Cancel; the first is the default. Returns the index of the chosen one,
/// or -1.
int askWhich(QWidget* window, const BoxText& text, const QList<std::pair<QString, QMessageBox::ButtonRole>>& buttons);

} // namespace attnlab::ui
