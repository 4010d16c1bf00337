// Writes a lesson in the window: its steps, their texts, questions, boards and checks.
#pragma once

#include "ui/learn/editor/draft_field.h"
#include "ui/learn/editor/lesson_document.h"

#include <memory>
#include <QWidget>

class QListWidget;
class QMenu;
class QPushButton;
class QToolButton;

namespace attnlab::ui {

class BoardForm;
class Card;
class ChecksForm;
class DraftForm;
class ElidedLabel;
class LessonForm;
class MarkdownLabel;
class PageStack;
class QuestionForm;
class SegmentSwitch;
class StepTextForm;
struct EditedLesson;

class LessonEditor : public QWidget {
    Q_OBJECT
public:
    enum class Tab { Text, Question, Board, Checks, Lesson };

    explicit LessonEditor(QWidget* parent = nullptr);
    ~LessonEditor() override;

    LessonDocument& document() { return *document_; }
    const LessonDocument& document() const { return *document_; }
    DraftChecker& checker() { return *checker_; }

    /// The lesson with its undo steps, for another page; no other function may be called afterwards.
    struct State {
        std::unique_ptr<LessonDocument> document;
        Tab tab = Tab::Text;
        QString language;
    };
    State takeState();
    void restoreState(State state);

    struct LessonEntry {
        QString title;
        QStringList steps;
    };
    /// The shipped lessons, for the menus.
    void setLessons(const std::vector<LessonEntry>& lessons);

    void showTab(Tab tab);
    /// Turns to the field of a mistake.
    void showPlace(const lessons::DraftPlace& place);
    Tab tab() const;
    /// "en", "zh_CN": of the texts that are edited.
    QString textLanguage() const { return language_; }
    void setTextLanguage(const QString& language);
    /// Turns to a language in which the lesson has texts.
    void showWrittenLanguage();
    /// Inserts a step after the one that is edited.
    void addStep(lessons::DraftStep step);
    /// The cursor goes to the title of the step.
    void beginTyping();
    void moveStep(int from, int to);
    void removeStep();
    void duplicateStep();
    /// What is wrong with the step, a line each; empty if nothing is.
    QString mistakesOf(int step) const;
    /// Computes nothing while the page is not shown.
    void pause();

    QListWidget* steps() const { return steps_; }
    StepTextForm* textForm() const { return text_; }
    QuestionForm* questionForm() const { return question_; }
    BoardForm* boardForm() const { return board_; }
    ChecksForm* checksForm() const { return checks_; }
    LessonForm* lessonForm() const { return lesson_; }
    SegmentSwitch* tabs() const { return tabs_; }
    QMenu* lessonMenu() const { return lesson_menu_; }
    QMenu* addMenu() const { return add_menu_; }
    QPushButton* tryButton() const { return try_; }
    QPushButton* saveButton() const { return save_; }
    QString previewText() const;
    /// The buttons of the editor, for the row above it; the new parent owns them.
    QWidget* tools() const { return tools_; }
    /// The title of the lesson, and whether it is saved.
    const QString& heading() const { return heading_; }

public slots:
    void refresh();

signals:
    void headingChanged();
    void listRequested();
    /// To run the lesson from the step that is edited.
    void tryRequested();
    void newRequested();
    void openRequested();
    void saveRequested();
    void saveAsRequested();
    /// To edit a copy of a shipped lesson, and to add a step of one.
    void copyRequested(int lesson);
    void stepRequested(int lesson, int step);
    void labStepRequested(attnlab::lab::BoardKind board);
    void workspaceStepRequested();
    void lectureRequested();
    /// A menu of lessons is about to open: it is filled by setLessons().
    void lessonsRequested();
    /// See LessonDocument.
    void copyFailed(const attnlab::Message& why);
    void copyKept();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeTools();
    QWidget* makeStepList();
    QWidget* makeForms();
    void makeMenus();
    void connectDocument();
    void connectForm(DraftForm* form);
    void addKey(const QKeySequence& key, QWidget* widget, const std::function<void()>& run);
    void showSteps();
    void showForm();
    void showPreview(const EditedLesson& lesson);
    void takeOrder();
    EditedLesson edited() const;
    /// Of the lesson and the step; `counts` says which.
    template <class Counts>
    int countMistakes(Counts counts) const;
    void showCounts();
    static Tab tabOf(const lessons::DraftPlace& place);

    std::unique_ptr<LessonDocument> document_;
    std::unique_ptr<DraftChecker> checker_;
    QString language_;
    QString heading_;
    QWidget* tools_ = nullptr;
    QToolButton* menu_button_;
    QMenu* lesson_menu_;
    QMenu* copies_ = nullptr;
    QPushButton *undo_, *redo_, *save_, *try_;
    QListWidget* steps_;
    QToolButton* add_;
    QMenu* add_menu_;
    QMenu* from_lessons_ = nullptr;
    QPushButton *duplicate_, *remove_, *up_, *down_;
    SegmentSwitch *tabs_, *languages_;
    PageStack* forms_;
    StepTextForm* text_;
    QuestionForm* question_;
    BoardForm* board_;
    ChecksForm* checks_;
    LessonForm* lesson_;
    Card* preview_box_;
    MarkdownLabel* preview_;
};

} // namespace attnlab::ui
