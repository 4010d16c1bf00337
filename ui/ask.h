// Questions in a box of their own.
#pragma once

#include <QMessageBox>

namespace attnlab::ui {

struct BoxText {
    QString title;
    QString text;
};

/// Waits for one of `buttons`; `usual` is what Enter presses. Title and text are plain.
QMessageBox::StandardButton ask(QWidget* window, QMessageBox::Icon icon, const BoxText& text,
                                QMessageBox::StandardButtons buttons, QMessageBox::StandardButton usual);

} // namespace attnlab::ui
