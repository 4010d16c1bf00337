// New, open, save, recent files, samples, and what happens to unsaved work.
#pragma once

#include "ui/document/open_files.h"
#include "ui/document/recovery.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <functional>
#include <optional>

class QWidget;

namespace attnlab::ui {

class Document;
class MessageBar;
class ViewState;

class FileController : public QObject {
    Q_OBJECT
public:
    /// `offers` is for nothing but what former runs left: no other message takes its place.
    FileController(Document& document, ViewState& view, MessageBar& messages, MessageBar& offers, QWidget* window);
    ~FileController() override;

    /// Reads a new document on a worker thread, with progress and Cancel when it takes long; or the message bar says
    /// why not. Asks about unsaved work before it is replaced.
    void open(const QStringList& paths);
    /// The same, but what begins no problem joins the present one (see openFiles).
    void openOrJoin(const QStringList& paths, const QString& shown_tensor);
    void openSample(const QString& id);
    void newDocument();
    /// Something to work on that stands in no file, with one of its stages on show.
    void openProblem(const AttentionProblem& problem, const QString& title, const QString& stage);
    /// False when the user cancelled or it failed (the message bar says why).
    bool save();
    bool saveAs();
    bool saveTo(const QString& path);

    void chooseAndOpen();
    /// One array of a file into `tensor`, whatever its name there.
    void chooseForTensor(const QString& tensor);
    /// One array of a file, handed to `use`.
    void chooseArray(std::function<void(const Tensor&, const QString& name)> use);
    /// What a file holds, handed to `use` with its name as it is shown; the document stays as it is.
    using UseContents = std::function<void(std::shared_ptr<const Contents>, const QString& file)>;
    void chooseToCompare(UseContents use);
    void readToCompare(const QString& path, UseContents use);
    void chooseToSaveTensor(const QString& tensor);

    /// Asks again which array of the open document's files is which, and reads them so. Nothing where it was not made
    /// from arrays.
    void chooseArrays();
    bool mayChooseArrays() const { return opened_contents_ != nullptr; }
    /// Takes the place of the dialog, for tests: the choices, or nothing for Cancel.
    using ArrayChooser = std::function<std::optional<Choices>(std::shared_ptr<const Contents>, const Choices&)>;
    void setArrayChooser(ArrayChooser chooser) { array_chooser_ = std::move(chooser); }

    /// Enters what is being typed into a cell or a field: it belongs to what is saved and exported.
    void finishTyping();
    /// True when the present work may go: saved, or given up by the user.
    bool mayDiscard();

    /// Keeps a copy of unsaved work beside the settings, for the case that the program dies; offers what former runs
    /// left behind, one after the other, until each is restored or discarded.
    void startRecovery();
    /// The offer on show, in the present language.
    void offerLeftWork();
    /// The work is saved or given up: no copy is needed.
    void endRecovery();

    /// Replaces every question by this answer, for tests.
    enum class Answer { Ask, Save, Discard, Cancel };
    void setAnswer(Answer answer) { answer_ = answer; }
    enum class ChangedFile { Ask, SaveAs, Overwrite, Cancel };
    void setChangedFileAnswer(ChangedFile answer) { changed_file_ = answer; }

signals:
    void recentFilesChanged();
    void tensorOpened(const QString& name);
    /// A file has been read and is in the document, or could not be (then `ok` is false).
    void opened(bool ok);
    /// mayChooseArrays() may have changed.
    void arraysChanged();

private:
    void readInBackground(std::function<OpenedFiles()> read, std::function<void(OpenedFiles)> apply,
                          std::function<void()> otherwise = {});
    void apply(OpenedFiles opened, const QStringList& paths);
    void forgetArrays();
    void askForArrays(std::shared_ptr<const Contents> contents, const QString& title, const Choices& choices,
                      const QStringList& paths);
    bool writeFile(std::function<void(const RunControl&)> write);
    QString choosePath(const QString& title);
    ChangedFile askAboutChangedFile();
    void restore(const std::filesystem::path& copy);
    void offerTheRest(const std::filesystem::path& copy, OpenedFiles opened);
    void restored(const std::filesystem::path& copy, OpenedFiles opened);

    Document& document_;
    ViewState& view_;
    MessageBar& messages_;
    MessageBar& offers_;
    QWidget* window_;
    Answer answer_ = Answer::Ask;
    ChangedFile changed_file_ = ChangedFile::Ask;
    ArrayChooser array_chooser_;
    /// Of the open document, where it was made from arrays: what the files hold, and how they were read.
    std::shared_ptr<const Contents> opened_contents_;
    Choices opened_choices_;
    QString opened_title_;
    Recovery recovery_;
    std::optional<Message> recovery_failure_; ///< said last
};

} // namespace attnlab::ui
