// Pages with tools and a board: the common part of lessons and labs, and the page of a lab.
#pragma once

#include "core/lab/board.h"
#include "core/message.h"
#include "ui/learn/lab/board_frame.h"

#include <memory>
#include <optional>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace attnlab::ui {

class BoardFrame;
class FittingScrollArea;

class BoardPage : public QWidget {
    Q_OBJECT
public:
    BoardFrame* frame() const { return frame_; }
    /// The buttons of the page, for the row above it; the new parent owns them.
    QWidget* tools() const { return tools_; }
    void setHeading(const QString& heading) { heading_ = heading; }
    /// "Lesson 3 of 21 · Attention as arrows".
    const QString& heading() const { return heading_; }
    /// The button that leaves the page: its text, and its name for screen readers. By default to the list of lessons.
    void setBackButton(const QString& text, const QString& name);
    /// In a presentation letters keep their size: what does not fit is shown page by page.
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
    /// `tool` is placed in the tools, `left`, if any, to the left of the board; takes ownership of both.
    BoardPage(QPushButton* tool, QWidget* left, QWidget* parent);
    /// Left to right: `left`, if any, and the board.
    QHBoxLayout* parts() const { return parts_; }
    /// One more button in the tools.
    void addTool(QPushButton* button);
    /// The board fits again: it or its room has changed.
    void fitBoard();
    void resizeEvent(QResizeEvent* event) override;

private:
    QPushButton* back_;
    QString heading_;
    QHBoxLayout* parts_;
    BoardFrame* frame_ = nullptr;
    FittingScrollArea* room_ = nullptr;
    QWidget* tools_;
    bool presenting_ = false;
};

/// A row with `first` at the left and the others at the right.
QWidget* rowOfTools(QWidget* first, std::initializer_list<QWidget*> others);

/// A lab: a board to experiment with, outside a lesson.
class LabPage : public BoardPage {
    Q_OBJECT
public:
    explicit LabPage(QWidget* parent = nullptr);

    /// ScaleLab or MaskLab. Restores what was shown there before.
    void open(lab::BoardKind board);
    /// nullopt: none is open.
    std::optional<lab::BoardKind> lab() const { return lab_; }
    QString title() const;

    /// The lab with the user's changes, for another page; no other function may be called afterwards.
    struct State {
        std::optional<lab::BoardKind> lab;
        std::unique_ptr<SceneModel> model;
    };
    State takeState() { return {lab_, frame()->takeModel()}; }
    void restoreState(State state);

    bool isChanged() const override;
    void reset() override;
    void close() override;

private:
    LabPage(QPushButton* reset, QWidget* parent);

    std::optional<lab::BoardKind> lab_;
    QPushButton* reset_;
};

} // namespace attnlab::ui
