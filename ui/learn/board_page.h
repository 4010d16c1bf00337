// What the pages of a lesson and of a lab have in common: a header and a board.
#pragma once

#include "core/message.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace attnlab::ui {

class BoardFrame;

class BoardPage : public QWidget {
    Q_OBJECT
public:
    BoardFrame* frame() const { return frame_; }
    void setHeading(const QString& heading);

    /// The reader has moved something or given an answer.
    virtual bool isChanged() const = 0;
    virtual void reset() = 0;
    virtual void close() = 0;

signals:
    void listRequested();
    void presentationRequested();
    void changed();
    void failed(const attnlab::Message& why);

protected:
    /// `tool` has a place in the header, `left` one at the left of the board, if it is there; both are taken over.
    BoardPage(QPushButton* tool, QWidget* left, QWidget* parent);

    virtual void retranslate();
    void changeEvent(QEvent* event) override;

private:
    QPushButton* list_;
    QLabel* heading_;
    QPushButton* present_;
    BoardFrame* frame_ = nullptr;
};

/// A row of `widgets`, in the order of Tab, that a presentation does without. The heading among them is bold and takes
/// the room that is left.
QWidget* makeHeader(std::initializer_list<QWidget*> widgets, QLabel* heading, QWidget* parent);

} // namespace attnlab::ui
