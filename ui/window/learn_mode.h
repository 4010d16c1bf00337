// Switches the window to the learn mode and back; the user's workspace is hidden meanwhile, unchanged.
#pragma once

#include "ui/learn/learn_page.h"
#include "ui/learn/presentation.h"

#include <QByteArray>
#include <QObject>
#include <QPointer>
#include <QSet>

#include <optional>

class QLabel;
class QMainWindow;
class QMenu;
class QStackedWidget;

namespace attnlab::ui {

class Actions;
class Document;
class FileController;
class LargeInputs;
class LaserPointer;
class MessageBar;
class BlankScreen;
class ViewState;
class ExclusiveMode;
class LessonAuthoring;
class PresenterView;
class TopBar;
struct ExportSubject;

/// The parts of the window that the learn mode changes.
struct LearnWindow {
    QMainWindow& window;
    Actions& actions;
    QStackedWidget& centre; ///< the workspace is its first page
    Document& document;
    ViewState& view;
    const LargeInputs& large;
    FileController& files;
    MessageBar& messages;
    TopBar& top;
};

class LearnMode : public QObject {
    Q_OBJECT
public:
    explicit LearnMode(const LearnWindow& parts);
    /// Must be destroyed before the widgets of the window.
    ~LearnMode() override;

    bool isOn() const;
    LearnPage* page() const { return page_; }
    LaserPointer* laser() const { return laser_; }
    LessonAuthoring* authoring() const { return authoring_; }
    Presentation* presentation() const { return presentation_; }
    PresenterView* presenterView() const { return presenter_; }
    BlankScreen* blankScreen() const { return blank_; }

    /// Shows what was open, or the list.
    void show();
    void showList();
    void showLesson(int index);
    void showLab(lab::BoardKind board);
    /// True for the folder of a lesson, and for one in a file.
    static bool isLesson(const QString& path);
    /// Either of them. False for an invalid lesson: the message bar shows file and line, and nothing else changes.
    bool openFolder(const QString& path);
    /// Writes what the board shows, with every control where it is, as a lesson of one step. False where that cannot be
    /// written: the message bar says why.
    bool saveBoard(const QString& path);
    /// Returns to the unchanged workspace; what is open stays open.
    void leave();
    /// Opens the current step in the workspace, after the usual question about unsaved work.
    void take();
    /// The geometry of the window outside presentations.
    QByteArray usualGeometry() const;
    /// The arrangement of panels and tool bars outside the learn mode.
    QByteArray usualLayout() const;
    /// Restores an earlier result of usualLayout(). Saving the layout again would round the sizes of panels once more.
    void setUsualLayout(const QByteArray& layout);

    /// What the user sees of it, for the learn mode of widgets that are made anew; only the destructor may be called
    /// afterwards.
    struct State {
        bool on = false;
        LearnPage::State page;
        std::optional<Presentation::Usual> presenting;
        bool laser = false;
        bool blank = false;
        bool presenter_open = false;
        QByteArray presenter_geometry;
        qint64 elapsed = -1; ///< milliseconds on the presenter's clock; -1: it is not running
    };
    State takeState();
    void restoreState(State state);

signals:
    /// The workspace is about to be hidden.
    void entering();

private:
    void connectActions();
    void connectPage();
    void enter();
    void allowActions();
    void fillLessons();
    void turn(void (LearnPage::*to)());
    void present();
    void openJumpMenu();
    void showNotes();
    void showTitle();
    void chooseFolder();
    void chooseFile();
    void chooseWhereToSave();
    /// Proposed for a file: "scale_lab", "02-why-divide-growth".
    QString boardName() const;
    void askToForget();
    void showNumbers();
    void exportStep();
    void exportHandout();
    void exportSubject(ExportSubject subject);

    LearnWindow parts_;
    LearnPage* page_;
    Presentation* presentation_;
    LaserPointer* laser_;
    BlankScreen* blank_;
    PresenterView* presenter_;
    QLabel* status_;
    ExclusiveMode* cover_;
    LessonAuthoring* authoring_;
};

} // namespace attnlab::ui
