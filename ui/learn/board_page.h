// The common part of the pages of a lesson and of a lab: a header and a board.
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

    /// The user has changed something or given an answer.
    virtual bool isChanged() const = 0;
    virtual void reset() = 0;
    virtual void close() = 0;

signals:
    void listRequested();
    void presentationRequested();
    void changed();
    void failed(const attnlab::Message& why);

protected:
    /// `tool` is placed in the header, `left`, if any, to the left of the board; takes ownership of both.
    BoardPage(QPushButton* tool, QWidget* left, QWidget* parent);

private:
    QLabel* heading_;
    BoardFrame* frame_ = nullptr;
};

/// A row of `widgets`, in the order of Tab, which a presentation hides. The heading is bold and takes the remaining
/// width.
QWidget* makeHeader(std::initializer_list<QWidget*> widgets, QLabel* heading, QWidget* parent);

} // namespace attnlab::ui
