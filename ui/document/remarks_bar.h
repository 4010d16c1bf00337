// What has to be known about the arrays that a document was made of, for as long as it is open.
#pragma once

#include <QFrame>

class QPushButton;

namespace attnlab::ui {

class Document;
class ScrollRoom;
class WrappedLabel;

/// One line under the messages: the first remark of the document and how many more there are, all of them on demand.
/// It cannot be closed; another document brings its own, or none.
class RemarksBar : public QFrame {
    Q_OBJECT
public:
    explicit RemarksBar(Document& document, QWidget* parent = nullptr);

    QString text() const;

    /// There is a choice to make again: a button asks for it.
    void setChoosable(bool choosable);

signals:
    void chooseRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    void showRemarks();

    Document& document_;
    WrappedLabel* label_;
    ScrollRoom* room_;
    QPushButton *all_, *choose_;
    bool open_ = false; ///< all remarks are on show
};

} // namespace attnlab::ui
