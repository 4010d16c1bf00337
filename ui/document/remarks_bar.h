// Shows remarks on the arrays of a document while it is open.
#pragma once

#include <QFrame>

class QPushButton;

namespace attnlab::ui {

class Document;
class ScrollRoom;
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
    ScrollRoom* room_;
    QPushButton *all_, *choose_;
    bool open_ = false; ///< all remarks are shown
};

} // namespace attnlab::ui
