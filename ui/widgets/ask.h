// Questions in a box of their own.
#pragma once

#include <QList>
#include <QMessageBox>

#include <utility>

namespace attnlab::ui {

struct BoxText {
    QString title;
    QString text;
};

/// Waits for one of `buttons`; `usual` is what Enter presses. Title and text are plain.
QMessageBox::StandardButton ask(QWidget* window, QMessageBox::Icon icon, const BoxText& text,
                                QMessageBox::StandardButtons buttons, QMessageBox::StandardButton usual);

/// The same with buttons of other words, in order, and Cancel; the first is what Enter presses. Returns which one was
/// chosen, or -1.
int askWhich(QWidget* window, QMessageBox::Icon icon, const BoxText& text,
             const QList<std::pair<QString, QMessageBox::ButtonRole>>& buttons);

} // namespace attnlab::ui
