// A lab: a board to play with, without a lesson.
#pragma once

#include "core/message.h"

#include <QString>
#include <QWidget>

class QLabel;
class QPushButton;

namespace attnlab::ui {

class BoardFrame;

class LabPage : public QWidget {
    Q_OBJECT
public:
    explicit LabPage(QWidget* parent = nullptr);

    /// "scale_lab" or "mask_lab". What was on show there before is there again.
    void open(const QString& board);
    /// Empty: none is open.
    QString lab() const { return lab_; }
    void close();
    void reset();
    bool isChanged() const;
    QString title() const;
    BoardFrame* frame() const { return frame_; }

signals:
    void listRequested();
    void presentationRequested();
    void changed();
    void failed(const attnlab::Message& why);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    QString lab_;
    QPushButton* list_;
    QLabel* heading_;
    QPushButton* reset_;
    QPushButton* present_;
    BoardFrame* frame_;
};

} // namespace attnlab::ui
