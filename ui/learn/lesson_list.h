// All lessons with the user's progress, and the labs beside them.
#pragma once

#include "ui/learn/lesson.h"

#include <QWidget>

#include <vector>

class QPushButton;
class QVBoxLayout;

namespace attnlab::ui {

class LessonRow;
class ScrollRoom;

class LessonList : public QWidget {
    Q_OBJECT
public:
    explicit LessonList(QWidget* parent = nullptr);

    /// The first `shipped` lessons are numbered; the others were opened from folders.
    void setLessons(std::vector<LessonPtr> lessons, int shipped);
    /// Updates the progress.
    void refresh();
    const std::vector<LessonRow*>& rows() const { return rows_; }
    QPushButton* forgetButton() const { return forget_; }

signals:
    void lessonChosen(int index);
    void labChosen(attnlab::lab::BoardKind board);
    void folderRequested();
    void workspaceRequested();
    void forgetRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool pressKey(const QObject* row, int key);

    std::vector<LessonPtr> lessons_;
    int shipped_ = 0;
    QPushButton* folder_;
    QPushButton* forget_;
    QVBoxLayout* column_;
    ScrollRoom* scroll_;
    std::vector<LessonRow*> rows_;
};

} // namespace attnlab::ui
