// A field for several lines of text.
#pragma once

#include <QMimeData>
#include <QPlainTextEdit>

namespace attnlab::ui {

/// Pasting from an empty clipboard does nothing. In Qt 6.4 it ends the program: QWidgetTextControl reads the first
/// format of what it gets, and there is none.
class TextEdit : public QPlainTextEdit {
public:
    using QPlainTextEdit::QPlainTextEdit;

protected:
    void insertFromMimeData(const QMimeData* source) override {
        if (source && !source->formats().isEmpty())
            QPlainTextEdit::insertFromMimeData(source);
    }
};

} // namespace attnlab::ui
