#include "ui/ask.h"

#include "ui/text.h"

namespace attnlab::ui {

QMessageBox::StandardButton ask(QWidget* window, QMessageBox::Icon icon, const BoxText& text,
                                QMessageBox::StandardButtons buttons, QMessageBox::StandardButton usual) {
    QMessageBox box(window);
    box.setTextFormat(Qt::PlainText); // before there is a text
    box.setIcon(icon);
    box.setWindowTitle(titleText(text.title));
    box.setText(text.text);
    box.setStandardButtons(buttons);
    box.setDefaultButton(usual);
    return static_cast<QMessageBox::StandardButton>(box.exec());
}

} // namespace attnlab::ui
