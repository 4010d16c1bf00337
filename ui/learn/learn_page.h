// The learn mode: the list of lessons, a lesson, a lab, the lesson editor.
#pragma once

#include "core/lessons/lesson_error.h"
#include "ui/learn/editor/lesson_editor.h"
#include "ui/learn/lab/board_page.h"
#include "ui/learn/lesson_page.h"

#include <QStackedWidget>

#include <optional>
#include <vector>

namespace attnlab::ui {

class LessonList;

class LearnPage : public QWidget {
    Q_OBJECT
public:
    explicit LearnPage(QWidget* parent = nullptr);

    /// Reads the shipped lessons on first use.
    const std::vector<LessonPtr>& lessons();
    void showList();
    void showLesson(int index);
    void showLab(lab::BoardKind board);
    /// Jumps from the lesson, in which the page remembers its step: to another step, or to a lab.
    void jumpToStep(int step);
    void jumpToLab(lab::BoardKind board);
    /// The step of the lesson from which the last jump began; nullopt after jumpBack(), and without one.
    std::optional<int> jumpOrigin() const { return jumped_from_; }
    void jumpBack();
    void showEditor();
    /// Runs the lesson that is being written, from the step that is edited. The editor is one button away.
    void tryLesson();
    bool isTrying() const { return trying_; }
    /// The files of a shipped lesson as a draft. Throws Error.
    lessons::Draft draftOf(int index);
    /// Opens a lesson that is not shipped and adds it to the list.
    void showOther(const LessonPtr& lesson);
    /// Shows nothing: no board computes.
    void close();

    enum class Showing { List, Lesson, Lab, Editor };
    /// What is open, for another page; no other function may be called afterwards.
    struct State {
        std::vector<LessonPtr> lessons;
        int shipped = -1;
        int index = -1;
        std::optional<int> jumped_from;
        bool checking = false;
        Showing showing = Showing::List;
        LessonPage::State lesson;
        LabPage::State lab;
        LessonEditor::State editor;
        bool trying = false;
    };
    State takeState();
    void restoreState(State state);

    Showing showing() const;
    /// What is open: the list, a lesson with its number, a lab, the lesson that is written.
    QString heading() const;
    /// The buttons of what is open, for the row above the page; the new parent owns them.
    QWidget* tools() const { return tools_; }
    /// Of the open lesson, in lessons(); -1 if there was none.
    int lessonIndex() const { return index_; }
    LessonList* list() const { return list_; }
    LessonPage* lessonPage() const { return lesson_; }
    LabPage* labPage() const { return lab_; }
    LessonEditor* editor() const { return editor_; }
    /// The frame of the lesson or lab; null in the list.
    BoardFrame* frame() const;
    /// Of what is open.
    PresenterNotes presenterNotes() const;
    /// The user has changed something or given an answer.
    bool isChanged() const;
    void reset();
    void forget();
    /// Lets the content fit.
    void setPresenting(bool on);

public slots:
    /// In a lab to which the user jumped from a lesson, both return to the lesson.
    void next();
    void back();

signals:
    /// The page, the step or something on it has changed.
    void changed();
    void computed();      ///< there are new results
    void takeRequested(); ///< to open the current step in the workspace
    void presentationRequested();
    void folderRequested();
    void forgetRequested();
    void editorRequested();
    void failed(const attnlab::Message& why);
    void turned(); ///< messages about the previous page are outdated

private:
    /// Null in the list.
    BoardPage* boardPage() const;
    QString headingOf(int index);
    void turn(QWidget* page);
    void focusToPresent();
    void showNextLesson();
    void checkLater(const LessonPtr& lesson);
    void sayMistakes(const std::vector<lessons::Mistake>& mistakes);
    void setTrying(bool on);
    void sayMistakesOfTriedStep();
    void fillEditorMenus();

    std::vector<LessonPtr> lessons_;
    int shipped_ = -1; ///< unknown until read
    int index_ = -1;   ///< of the open lesson
    std::optional<int> jumped_from_;
    QStackedWidget *pages_, *tools_; ///< by Showing
    LessonList* list_;
    LessonPage* lesson_;
    LabPage* lab_;
    LessonEditor* editor_;
    bool trying_ = false; ///< the lesson on show is the one that is being written
    int told_step_ = -1;  ///< the step of it whose mistakes have been shown
    LatestJob<std::vector<lessons::Mistake>> check_;
};

} // namespace attnlab::ui
