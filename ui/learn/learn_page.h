// Everything of the learn mode: the list of lessons, a lesson, a lab.
#pragma once

#include "core/lessons/mistake.h"
#include "ui/learn/lesson.h"

#include <QWidget>

#include <optional>
#include <vector>

class QStackedWidget;

namespace attnlab::ui {

class BoardFrame;
class BoardPage;
class LabPage;
class LessonList;
class LessonPage;

class LearnPage : public QWidget {
    Q_OBJECT
public:
    explicit LearnPage(QWidget* parent = nullptr);

    /// The shipped lessons are read when they are first asked for.
    const std::vector<LessonPtr>& lessons();
    void showList();
    void showLesson(int index);
    void showLab(lab::BoardKind board);
    /// A lesson that is not shipped; it joins the list.
    void showOther(const LessonPtr& lesson);
    /// Nothing is on show: no board computes.
    void close();

    enum class Showing { List, Lesson, Lab };
    Showing showing() const;
    LessonList* list() const { return list_; }
    LessonPage* lessonPage() const { return lesson_; }
    LabPage* labPage() const { return lab_; }
    /// Of the lesson or lab; null in the list.
    BoardFrame* frame() const;
    /// The reader has moved something or given an answer.
    bool isChanged() const;
    void reset();
    void forget();
    /// The parts around the page's content, which a presentation does without.
    void setHeadersVisible(bool visible);

public slots:
    void next();
    void back();

signals:
    /// Another page or step, or something was moved.
    void changed();
    void computed(); ///< there are new numbers
    void workspaceRequested();
    void takeRequested(); ///< the present step into the workspace
    void presentationRequested();
    void folderRequested();
    void forgetRequested();
    void failed(const attnlab::Message& why);
    void turned(); ///< what was said of the page before is out of date

protected:
    void changeEvent(QEvent* event) override;

private:
    /// Null in the list.
    BoardPage* boardPage() const;
    QString headingOf(int index);
    void turn(QWidget* page);
    void showNextLesson();
    void checkLater(const LessonPtr& lesson);
    void sayMistakes(const std::vector<lessons::Mistake>& mistakes);

    std::vector<LessonPtr> lessons_;
    int shipped_ = -1; ///< not read yet
    int index_ = -1;   ///< of the open lesson
    QStackedWidget* pages_;
    LessonList* list_;
    LessonPage* lesson_;
    LabPage* lab_;
    LatestJob<std::vector<lessons::Mistake>> check_;
};

} // namespace attnlab::ui
