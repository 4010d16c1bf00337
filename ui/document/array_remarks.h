// Remarks on the arrays that a document was made from, and the bar that shows them.
#pragma once

#include "core/message.h"

#include <optional>
#include <QCoreApplication>
#include <QFrame>
#include <QString>
#include <string>

namespace attnlab::ui {

/// Stores the message untranslated, so that its language can change.
struct ArrayRemark {
    enum class Kind {
        Made,    ///< an input is random, because the files lack it
        Decided, ///< `message` is a sentence
        Unused,  ///< `message` is why `array` is not used
        ReadAs   ///< `message` is how `array` is read
    };
    Kind kind = Kind::Decided;
    Message message;
    std::string array = {};

    /// In the current language.
    QString text() const;
};

} // namespace attnlab::ui

// Shows remarks on the arrays of a document while it is open.

class QPushButton;

namespace attnlab::ui {

class Document;
class FittingScrollArea;
class WrappedLabel;

/// One line below the messages: the first remark of the document and the number of others, all of them on demand. It
/// cannot be closed; another document replaces it by its own remarks.
class RemarksBar : public QFrame {
    Q_OBJECT
public:
    explicit RemarksBar(Document& document, QWidget* parent = nullptr);

    QString text() const;

    /// Shows a button to choose the roles again.
    void setChoosable(bool choosable);
    /// Shows all remarks, or only the first.
    void showAll(bool all);
    bool showsAll() const { return open_; }

signals:
    void chooseRequested();

private:
    void showRemarks();

    Document& document_;
    WrappedLabel* label_;
    FittingScrollArea* room_;
    QPushButton *all_, *choose_;
    bool open_ = false; ///< all remarks are shown
};

/// Words of the window for arguments of the engine's messages: the controls that they advise, and sums.
class OptionNames {
    Q_DECLARE_TR_FUNCTIONS(OptionNames)
public:
    /// For a sum over matrices, "5 over 4 heads": the same in the window's language. For a command-line option,
    /// "--layout LBE": its place in the window, "“Read otherwise…” with the axes (L, B, E)". nullopt for any other
    /// argument.
    static std::optional<QString> of(const std::string& argument);
};

} // namespace attnlab::ui
