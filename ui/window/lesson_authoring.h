// Writes lessons: takes steps from the window, opens and saves the lesson, and asks about unsaved changes.
#pragma once

#include "core/lab/board.h"
#include "core/lessons/lesson_draft.h"
#include "ui/learn/editor/lesson_document.h"

#include <QObject>
#include <QString>

class QMainWindow;

namespace attnlab::ui {

class Document;
class FileController;
class LargeInputs;
class LearnPage;
class MessageBar;
class ViewState;

/// The parts of the window that it reads and reports to.
struct AuthoringWindow {
    QMainWindow& window;
    Document& document;
    ViewState& view;
    const LargeInputs& large;
    FileController& files;
    MessageBar& messages;
};

class LessonAuthoring : public QObject {
    Q_OBJECT
public:
    /// Everything must outlive this object.
    LessonAuthoring(const AuthoringWindow& parts, LearnPage& page, QObject* parent);

    /// The lesson that is being written, or a new one.
    void showEditor();
    /// Inserts what the board on show, or else the workspace, shows into the lesson that is being written, with the
    /// texts and the question of a step of a lesson. False where a lesson cannot hold it: the message bar says why.
    bool makeStep(bool of_board);
    /// Edits the lesson on show: its file, or a copy.
    void editLesson();
    /// Opens a folder, its scene.json, or a file in the editor. False where the lesson cannot be read: the message bar
    /// says why.
    bool editFile(const QString& path);
    /// Writes the lesson. False where that fails: the message bar says why.
    bool save(const QString& path);
    /// True if the lesson is saved, or the user saves or discards it now.
    bool mayDiscard();
    /// Offers the newest lesson that was unsaved when its program crashed.
    void offerLeft();
    /// The lesson is saved or discarded: its copy is removed.
    void end();

signals:
    void editorRequested();

private:
    void connectEditor();
    bool chooseWhereToSave();
    void begin(lessons::Draft draft, const QString& path, bool unsaved = false);
    bool addStep(const lab::Scene& scene, const lab::BoardSpec& view, const QString& title);
    bool insert(lessons::DraftStep step);
    bool addStepOfWorkspace();
    void composeLecture();
    void restore(const LessonDocument::Left& left);

    AuthoringWindow parts_;
    LearnPage& page_;
    bool asking_ = false;
};

} // namespace attnlab::ui
