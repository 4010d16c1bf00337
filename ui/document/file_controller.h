// New, open, save, recent files, samples and single arrays; asks about unsaved work.
#pragma once

#include "core/tensor.h"
#include "ui/document/background_files.h"
#include "ui/document/crash_recovery.h"
#include "ui/document/open_files.h"
#include "ui/document/view_state.h"
#include "ui/widgets/latest_job.h"

#include <functional>
#include <memory>
#include <optional>
#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

class QWidget;

namespace attnlab {
struct Contents;
}

namespace attnlab::ui {

class BackgroundRead;
class Document;
class MessageBar;

class ArrayFiles : public QObject {
    Q_OBJECT
public:
    ArrayFiles(const Document& document, MessageBar& messages, BackgroundRead& reading, QWidget* window);

    /// Reads one array of a file, whatever its name; ends in tensorRead().
    void chooseForTensor(const QString& tensor);
    /// Reads one array of a file and passes it to `use`.
    void chooseArray(std::function<void(const Tensor&, const QString& name)> use);
    /// Passes the contents of a file to `use`, with its name for display.
    using UseContents = std::function<void(std::shared_ptr<const Contents>, const QString& file)>;
    void chooseToCompare(UseContents use);
    void readToCompare(const QString& path, UseContents use);
    void chooseToSaveTensor(const QString& tensor);

signals:
    void tensorRead(const QString& tensor, const attnlab::Tensor& values, const QString& path);

private:
    QString choosePath(const QString& title);

    const Document& document_;
    MessageBar& messages_;
    BackgroundRead& reading_;
    QWidget* window_;
};

} // namespace attnlab::ui

// New, open, save, recent files, samples, and the handling of unsaved work.

class QWidget;

namespace attnlab::ui {

class Document;
struct OpenedFrom;
class MessageBar;
class ViewState;

class FileController : public QObject {
    Q_OBJECT
public:
    /// `offers`: the message bar for crash recovery.
    FileController(Document& document, ViewState& view, MessageBar& messages, MessageBar& offers, QWidget* window);
    ~FileController() override;

    /// Reads a new document in a worker thread, with progress and Cancel when it takes long; errors show in the message
    /// bar. Asks about unsaved work before replacing it.
    void open(const QStringList& paths);
    /// The same, but files that are not a whole problem are added to the current one (see openFiles).
    void openOrJoin(const QStringList& paths, const QString& shown_tensor);
    /// Shows files in the place of the document, as a step that can be undone: for another program of the user, and for
    /// files that are watched. Of several requests the latest counts. Asks nothing: of several layers or passes it
    /// takes the one of before, else the first. Ends in opened(); an error goes to `failed` if it is given.
    using Failed = std::function<void(const Message&)>;
    void show(const QStringList& paths, Failed failed = {});
    bool isShowing() const { return showing_.isRunning() || held_; }
    /// False if unsaved work was kept.
    bool openSample(const QString& id);
    /// At the start of the program: opens the document that was open when it was last closed, unless the user has
    /// turned that off; says so if its file is gone.
    void reopenLast();
    /// The window closes: its document is the one to open at the next start.
    void noteClosed();
    /// False if unsaved work was kept: nothing has changed.
    bool newDocument();
    /// Opens a problem that is not from a file, and shows one of its stages, with a chosen cell. False if unsaved work
    /// was kept.
    bool openProblem(const AttentionProblem& problem, const QString& title, const QString& stage, int batch = 0,
                     int head = 0, std::optional<Cell> pinned = {});
    /// False when cancelled by the user or failed (see the message bar).
    bool save();
    bool saveAs();
    bool saveTo(const QString& path);

    void chooseAndOpen();
    ArrayFiles& arrays() { return arrays_; }

    /// Asks again for the roles of the arrays in the open document's files, and reads them accordingly. No effect on a
    /// document without such arrays.
    void chooseArrays();
    bool mayChooseArrays() const;
    /// Replaces the dialog in tests: returns the choices, or nullopt for Cancel.
    using ArrayChooser = std::function<std::optional<Choices>(std::shared_ptr<const Contents>, const Choices&)>;
    void setArrayChooser(ArrayChooser chooser) { array_chooser_ = std::move(chooser); }

    /// Commits text being typed into a cell or a field, which belongs to saved and exported data.
    void finishTyping();
    /// Asks about unsaved work, also about documents hidden by show(); each is shown while asking. True if all of it
    /// was saved or may be discarded.
    bool mayDiscard();

    CrashRecovery& crashRecovery() { return crash_recovery_; }

    /// Answers every question in tests.
    enum class Answer { Ask, Save, Discard, Cancel };
    void setAnswer(Answer answer) { answer_ = answer; }
    Answer answer() const { return answer_; }
    enum class ChangedFile { Ask, SaveAs, Overwrite, Cancel };
    void setChangedFileAnswer(ChangedFile answer) { changed_file_ = answer; }

signals:
    void recentFilesChanged();
    void tensorOpened(const QString& name);
    /// A sample was opened whose numbers are to be replaced.
    void inputsWanted();
    /// A file was read into the document, or could not be (then `ok` is false).
    void opened(bool ok);
    /// A capture of several passes was read, of which the document is about to take one. `shown`: by show().
    void captureRead(const std::shared_ptr<const Contents>& contents, const QString& path, bool shown);
    /// mayChooseArrays() may have changed.
    void arraysChanged();

private:
    void apply(OpenedFiles opened, const QStringList& paths);
    bool isHeld() const;
    void showWhenFree(OpenedFiles opened);
    void replaceByShown(OpenedFiles opened);
    void announceCapture(const OpenedFiles& opened, bool shown);
    void takeSettings(const OpenedFiles& opened);
    void dropShown();
    void dropReads();
    bool lacksInputs() const;
    void askForArrays(const OpenedFrom& files, const QStringList& paths);
    void useTensor(const QString& name, const Tensor& values, const QString& path);
    void announceTensor(const QString& file, const QString& tensor);
    void addRecentFiles(const QStringList& paths);
    void resetTo(AttentionProblem problem, const QString& title);
    bool replaceByLeftWork(OpenedFiles work);
    Answer askAboutUnsaved();
    ChangedFile askAboutChangedFile();

    Document& document_;
    ViewState& view_;
    MessageBar& messages_;
    QWidget* window_;
    Answer answer_ = Answer::Ask;
    ChangedFile changed_file_ = ChangedFile::Ask;
    ArrayChooser array_chooser_;
    LatestJob<OpenedFiles> showing_;
    std::optional<OpenedFiles> held_; ///< to be shown when no dialog, editor or gesture has the document
    QTimer held_timer_;
    Failed show_failed_;
    QElapsedTimer since_show_;
    int show_gesture_ = 0;
    bool asking_ = false; ///< about unsaved work
    BackgroundRead reading_;
    ArrayFiles arrays_;
    CrashRecovery crash_recovery_;
};

} // namespace attnlab::ui
