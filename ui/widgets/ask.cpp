#include "ui/widgets/ask.h"

#include "ui/widgets/text.h"

#include <QPushButton>

namespace attnlab::ui {
namespace {

void fill(QMessageBox& box, const BoxText& text) {
    box.setTextFormat(Qt::PlainText); // must precede the text
    box.setWindowTitle(titleText(text.title));
    box.setText(text.text);
    box.setInformativeText(text.details);
}

} // namespace

QMessageBox::StandardButton ask(QWidget* window, const BoxText& text, QMessageBox::StandardButtons buttons,
                                QMessageBox::StandardButton usual) {
    QMessageBox box(window);
    fill(box, text);
    box.setStandardButtons(buttons);
    box.setDefaultButton(usual);
    return static_cast<QMessageBox::StandardButton>(box.exec());
}

int askWhich(QWidget* window, const BoxText& text, const QList<std::pair<QString, QMessageBox::ButtonRole>>& buttons) {
    QMessageBox box(window);
    fill(box, text);
    QList<QAbstractButton*> added;
    for (const auto& [words, role] : buttons)
        added << box.addButton(menuText(words), role);
    box.addButton(QMessageBox::Cancel);
    box.setDefaultButton(qobject_cast<QPushButton*>(added.first()));
    box.exec();
    return static_cast<int>(added.indexOf(box.clickedButton()));
}

} // namespace attnlab::ui
