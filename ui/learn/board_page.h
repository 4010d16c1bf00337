// The common part of the pages of a lesson and of a lab: a header and a board.
#pragma once

#include "core/message.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace attnlab::ui {

class BoardFrame;
class ScrollRoom;

class BoardPage : public QWidget {
    Q_OBJECT
public:
    BoardFrame* frame() const { return frame_; }
    void setHeading(const QString& heading);
    /// In a presentation everything fits: nothing scrolls, if need be with smaller letters.
    virtual void setPresenting(bool on);
    bool isPresenting() const { return presenting_; }
    /// The board is larger than its room.
    bool boardScrolls() const;

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
    /// Left to right: `left`, if any, and the board.
    QHBoxLayout* parts() const { return parts_; }
    /// One more button in the header.
    void addTool(QPushButton* button);
    /// The board fits again: it or its room has changed.
    void fitBoard();
    void resizeEvent(QResizeEvent* event) override;

private:
    QLabel* heading_;
    QHBoxLayout* parts_;
    BoardFrame* frame_ = nullptr;
    ScrollRoom* room_ = nullptr;
    QWidget* header_ = nullptr;
    bool presenting_ = false;
};

/// A row of `widgets`, in the order of Tab, which a presentation hides. The heading is bold and takes the remaining
/// width.
QWidget* makeHeader(std::initializer_list<QWidget*> widgets, QLabel* heading, QWidget* parent);

} // namespace attnlab::ui
