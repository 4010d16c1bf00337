#include "ui/widgets/typed_text.h"

#include <algorithm>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QKeySequence>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QTextCursor>

namespace attnlab::ui {

TextChange changeOf(const QString& before, const QString& after) {
    const qsizetype shorter = std::min(before.size(), after.size());
    TextChange change;
    while (change.at < shorter && before[change.at] == after[change.at])
        ++change.at;
    qsizetype same = 0;
    while (same < shorter - change.at && before[before.size() - 1 - same] == after[after.size() - 1 - same])
        ++same;
    change.removed = before.size() - change.at - same;
    change.inserted = after.mid(change.at, after.size() - change.at - same);
    return change;
}

void showText(QPlainTextEdit& field, const QString& text) {
    const QString before = field.toPlainText();
    if (before == text)
        return;
    const QSignalBlocker quiet(field);
    const auto change = changeOf(before, text);
    QTextCursor cursor = field.textCursor();
    cursor.setPosition(static_cast<int>(change.at));
    cursor.setPosition(static_cast<int>(change.at + change.removed), QTextCursor::KeepAnchor);
    cursor.insertText(change.inserted);
    field.setTextCursor(cursor);
}

void showText(QLineEdit& field, const QString& text) {
    if (field.text() == text)
        return;
    const QSignalBlocker quiet(field);
    const auto change = changeOf(field.text(), text);
    field.setText(text);
    field.setCursorPosition(static_cast<int>(change.at + change.inserted.size()));
}

int TypingRun::take(const TextChange& change) {
    const bool letter = change.removed == 0 && change.inserted.size() == 1;
    const bool deletes = change.removed == 1 && change.inserted.isEmpty();
    const bool word = change.inserted.size() == 1 && change.inserted.front().isLetterOrNumber();
    const bool goes_on = letter    ? inserts_ && change.at == end_ && (in_word_ || !word)
                         : deletes ? !inserts_ && (change.at + 1 == end_ || change.at == end_)
                                   : false;
    if (!goes_on)
        ++number_;
    inserts_ = !deletes;
    in_word_ = word;
    end_ = change.at + change.inserted.size();
    return number_;
}

bool isRedo(const QKeyEvent& event) {
    return event.matches(QKeySequence::Redo) || event.keyCombination() == (Qt::ControlModifier | Qt::Key_Y);
}

void SteplessLine::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Undo) || isRedo(*event))
        event->ignore();
    else
        QLineEdit::keyPressEvent(event);
}

void SteplessLine::contextMenuEvent(QContextMenuEvent* event) {
    QMenu* menu = createStandardContextMenu();
    menu->setAttribute(Qt::WA_DeleteOnClose);
    constexpr int own_steps = 2; // Qt's menu begins with Undo and Redo
    for (QAction* entry : menu->actions().first(own_steps))
        entry->setVisible(false);
    menu->popup(event->globalPos());
}

} // namespace attnlab::ui
