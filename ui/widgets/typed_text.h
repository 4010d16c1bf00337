// What typing changes in a text, and where an undo step of it begins.
#pragma once

#include <QLineEdit>
#include <QString>

class QKeyEvent;
class QPlainTextEdit;

namespace attnlab::ui {

/// Where two texts differ: `removed` letters at `at` became `inserted`.
struct TextChange {
    qsizetype at = 0;
    qsizetype removed = 0;
    QString inserted;
};
TextChange changeOf(const QString& before, const QString& after);

/// Shows another text without a signal. The caret is behind what changed; the rest stays as it is, with the place of
/// the text in the view.
void showText(QPlainTextEdit& field, const QString& text);
void showText(QLineEdit& field, const QString& text);

/// Letters typed one behind the other, up to the next word, are one run, and so are letters deleted one by one. Any
/// other change is a run of its own.
class TypingRun {
public:
    /// The run that the change belongs to.
    int take(const TextChange& change);
    /// The next change begins another run.
    void end() { end_ = -1; }
    int number() const { return number_; }

private:
    int number_ = 0;
    qsizetype end_ = -1; ///< the caret after the latest letter
    bool inserts_ = true;
    bool in_word_ = false;
};

/// Redo, by any of its keys: Ctrl+Y too, which Qt has on some platforms only.
bool isRedo(const QKeyEvent& event);

/// A line whose text is undone by steps elsewhere: it has no Undo and Redo of its own, by keys or in its menu.
class SteplessLine : public QLineEdit {
    Q_OBJECT
public:
    using QLineEdit::QLineEdit;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
};

} // namespace attnlab::ui
