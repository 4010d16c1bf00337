// Reading and writing files of single arrays.
#include "ui/document/file_controller.h"

#include "core/inputs.h"
#include "core/io/file_formats.h"
#include "core/io/npz.h"
#include "core/io/saved/workspace_file.h"
#include "core/mechanisms.h"
#include "ui/document/array_picker.h"
#include "ui/document/background_files.h"
#include "ui/document/document.h"
#include "ui/document/local_files.h"
#include "ui/document/open_files.h"
#include "ui/document/samples.h"
#include "ui/document/settings.h"
#include "ui/document/view_state.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/popups.h"

#include <algorithm>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QScopedValueRollback>
#include <span>
#include <utility>

namespace attnlab::ui {
namespace {

struct NamedTensor {
    QString name;
    Tensor tensor;
};

/// The array `name` of a file, or its only one.
NamedTensor readArray(const QString& path, const QString& name, const RunControl& control) {
    auto read = io::read_tensors(toPath(path), {.control = &control});
    auto chosen = read.find(name.toStdString());
    if (chosen == read.end() && read.size() != 1)
        throw Error({ATTNLAB_TEXT("%1: holds %2 arrays, expected one, or one called %3"),
                     {toPath(path).string(), std::to_string(read.size()), name.toStdString()}});
    if (chosen == read.end())
        chosen = read.begin();
    return {QString::fromStdString(chosen->first), chosen->second};
}

} // namespace

ArrayFiles::ArrayFiles(const Document& document, MessageBar& messages, BackgroundRead& reading, QWidget* window)
    : document_(document), messages_(messages), reading_(reading), window_(window) {}

QString ArrayFiles::choosePath(const QString& title) {
    return QFileDialog::getOpenFileName(window_, title, settings::lastFolder(),
                                        tr("Arrays (%1);;All files (*)").arg(filePatterns(io::readable_suffixes())));
}

void ArrayFiles::chooseForTensor(const QString& tensor) {
    const auto path = choosePath(tr("Open an array as %1").arg(tensor));
    if (!path.isEmpty())
        reading_.start<NamedTensor>(
            [path, tensor](const RunControl& control) { return readArray(path, tensor, control); },
            [this, path, tensor](const NamedTensor& read) { emit tensorRead(tensor, read.tensor, path); });
}

void ArrayFiles::chooseArray(std::function<void(const Tensor&, const QString&)> use) {
    const auto path = choosePath(tr("Open an array"));
    if (!path.isEmpty())
        reading_.start<NamedTensor>(
            [path](const RunControl& control) { return readArray(path, QStringLiteral("attn_mask"), control); },
            [use = std::move(use)](const NamedTensor& read) { use(read.tensor, read.name); });
}

void ArrayFiles::chooseToCompare(UseContents use) {
    const auto path = choosePath(tr("Compare with the arrays of a file"));
    if (!path.isEmpty())
        readToCompare(path, std::move(use));
}

void ArrayFiles::readToCompare(const QString& path, UseContents use) {
    using Read = std::shared_ptr<const Contents>;
    reading_.start<Read>(
        [path](const RunControl& control) {
            const auto file = toPath(path);
            auto contents =
                std::make_shared<const Contents>(io::read_contents(std::span(&file, 1), {.control = &control}));
            if (contents->arrays.empty())
                throw Error({ATTNLAB_TEXT("%1: holds no arrays to compare with"), {file.string()}});
            return contents;
        },
        [path, use = std::move(use)](const Read& contents) { use(contents, displayName(QFileInfo(path).fileName())); });
}

void ArrayFiles::chooseToSaveTensor(const QString& tensor) {
    QStringList suffixes{QStringLiteral("npy")};
    for (const auto& suffix : io::writable_suffixes())
        suffixes << QString::fromStdString(suffix);
    const auto path = choosePathToSave(window_, {tr("Save %1").arg(tensor), tensor, suffixes,
                                                 tr("Arrays (%1)").arg(filePatterns(io::writable_suffixes()))});
    const auto name = tensor.toStdString();
    const auto& tensors = document_.problem().tensors;
    const auto found = tensors.find(name);
    if (path.isEmpty() || found == tensors.end())
        return;
    const auto outcome =
        writeInBackground(window_, tr("Saving…"), [&, values = found->second](const RunControl& control) {
            io::write_tensors(toPath(path), {{name, values}}, control);
        });
    if (outcome.error)
        messages_.showMessage(MessageBar::Kind::Error, *outcome.error, BackgroundRead::topic);
    else if (outcome.ok())
        messages_.showMessage(MessageBar::Kind::Notice, tr("Saved as %1").arg(displayName(path)),
                              BackgroundRead::topic);
}

namespace {

/// The changes that discarding loses, as the undo menu names them, the newest first.
QString lossOf(const QStringList& steps) {
    constexpr int most_named = 4;
    if (steps.isEmpty())
        return FileController::tr("Without saving they are lost.");
    QStringList lines{FileController::tr("Without saving, this is lost:")};
    for (const auto& step : steps.mid(0, most_named))
        lines << QStringLiteral("•  ") + step;
    if (const auto more = steps.size() - most_named; more > 0)
        lines << FileController::tr("and %n more", "changes", static_cast<int>(more));
    return lines.join(QLatin1Char('\n'));
}

/// Null if it is no editor of a cell.
QAbstractItemView* tableEditedBy(const QWidget* editor) {
    const QWidget* viewport = editor ? editor->parentWidget() : nullptr;
    return viewport ? qobject_cast<QAbstractItemView*>(viewport->parentWidget()) : nullptr;
}

/// Of several layers or passes the one that was chosen before, else the first.
OpenedFiles openFirst(OpenedFiles unclear, const std::optional<std::string>& before, const RunControl& control) {
    const auto recognition = recognise(*unclear.contents, unclear.choices, &control);
    const auto* question = recognition.question(Question::Kind::Group);
    if (!question || question->answers.empty())
        return unclear;
    auto choices = unclear.choices;
    const auto& answers = question->answers;
    choices.group = before && std::ranges::find(answers, *before) != answers.end() ? *before : answers.front();
    auto opened = openContents(unclear.contents, unclear.title, choices, control);
    opened.files = unclear.files;
    return opened;
}

/// A capture is shown whole, and the document takes its first pass.
OpenedFiles openedOrFirst(OpenedFiles opened, const RunControl& control) {
    return opened.unclear && opened.contents->capture ? openFirst(std::move(opened), std::nullopt, control) : opened;
}

OpenedFrom filesOf(const OpenedFiles& opened) { return {opened.contents, opened.choices, opened.title, opened.files}; }

} // namespace

FileController::FileController(Document& document, ViewState& view, MessageBar& messages, MessageBar& offers,
                               QWidget* window)
    : QObject(window), document_(document), view_(view), messages_(messages), window_(window),
      showing_([this](OpenedFiles shown) { showWhenFree(std::move(shown)); },
               {std::chrono::hours(1), WorkPool::Files, reading_failed}),
      reading_(messages, window), arrays_(document, messages, reading_, window),
      crash_recovery_(document, view, messages, offers, reading_,
                      [this](OpenedFiles work) { return replaceByLeftWork(std::move(work)); }) {
    constexpr std::chrono::milliseconds soon{100};
    held_timer_.setSingleShot(true);
    held_timer_.setInterval(soon);
    connect(&held_timer_, &QTimer::timeout, this, [this] {
        if (isHeld())
            held_timer_.start();
        else
            replaceByShown(*std::exchange(held_, std::nullopt));
    });
    connect(&document_, &Document::remarksChanged, this, &FileController::arraysChanged);
    connect(&reading_, &BackgroundRead::ended, this, &FileController::opened);
    connect(&arrays_, &ArrayFiles::tensorRead, this, &FileController::useTensor);
    connect(&showing_, &LatestJobBase::failed, this, [this](const Message& why) {
        if (show_failed_)
            show_failed_(why);
        else
            messages_.showMessage(MessageBar::Kind::Error, why, BackgroundRead::topic);
        emit opened(false);
    });
}

FileController::~FileController() = default;

void FileController::open(const QStringList& paths) {
    if (paths.isEmpty())
        return;
    dropShown();
    reading_.start<OpenedFiles>(
        [paths, known = lacksInputs() ? document_.files() : OpenedFrom()](const RunControl& control) {
            return openedOrFirst(known.contents
                                     ? openCompleting(paths, known.contents, known.paths, known.title, control)
                                     : openFiles(paths, nullptr, {}, control),
                                 control);
        },
        [this, paths](OpenedFiles opened) { apply(std::move(opened), paths); });
}

/// The user's request is newer.
void FileController::dropShown() {
    showing_.cancel();
    held_timer_.stop();
    held_.reset();
}

/// Nothing that was requested before may replace the document any more.
void FileController::dropReads() {
    dropShown();
    reading_.cancel();
}

/// Of a document made from arrays: random numbers stand in for some.
bool FileController::lacksInputs() const {
    return document_.files().contents &&
           std::ranges::count(document_.remarks(), ArrayRemark::Kind::Made, &ArrayRemark::kind) > 0;
}

void FileController::reopenLast() {
    const auto paths = settings::lastDocument();
    if (paths.isEmpty() || !settings::reopensLast())
        return;
    settings::setLastDocument({}); // if opening them ends the program, the next start does not try again
    const auto lost = std::ranges::find_if_not(paths, [](const QString& path) { return QFileInfo::exists(path); });
    if (lost == paths.end())
        open(paths);
    else
        messages_.showMessage(MessageBar::Kind::Notice,
                              tr("“%1”, which was open last, is no longer there.").arg(displayName(*lost)),
                              BackgroundRead::topic);
}

void FileController::noteClosed() {
    QStringList paths;
    if (!document_.path().isEmpty())
        paths << document_.path();
    else
        paths = document_.files().paths;
    for (auto& path : paths)
        path = QFileInfo(path).absoluteFilePath();
    settings::setLastDocument(paths);
}

void FileController::openOrJoin(const QStringList& paths, const QString& shown_tensor) {
    if (paths.isEmpty())
        return;
    dropShown();
    reading_.start<OpenedFiles>(
        [paths, present = document_.problem(), shown_tensor](const RunControl& control) {
            return openedOrFirst(openFiles(paths, &present, shown_tensor, control), control);
        },
        [this, paths, shown_tensor, present = document_.problem()](OpenedFiles opened) {
            const bool joins = !opened.replaces && !opened.unclear && !opened.settings_alone;
            if (joins && document_.problem() != present) // edited meanwhile
                openOrJoin(paths, shown_tensor);
            else
                apply(std::move(opened), paths);
        });
}

void FileController::show(const QStringList& paths, Failed failed) {
    show_failed_ = std::move(failed);
    showing_.request([paths, before = document_.files().choices.group](const RunControl& control) {
        auto shown = openFiles(paths, nullptr, {}, control);
        return shown.unclear ? openFirst(std::move(shown), before, control) : shown;
    });
}

/// Dialogs, editors, gestures, and files that are read or saved go on with the document that they began with.
bool FileController::isHeld() const {
    return reading_.isRunning() || reading_.isHeld() || QApplication::activeModalWidget() ||
           QGuiApplication::mouseButtons() != Qt::NoButton || tableEditedBy(window_->focusWidget());
}

void FileController::showWhenFree(OpenedFiles shown) {
    if (!isHeld()) {
        held_timer_.stop();
        held_.reset();
        return replaceByShown(std::move(shown));
    }
    if (!held_ && tableEditedBy(window_->focusWidget()))
        messages_.showMessage(MessageBar::Kind::Notice,
                              tr("%1 is shown as soon as the cell is typed.").arg(shown.title), BackgroundRead::topic);
    held_ = std::move(shown);
    held_timer_.start();
}

void FileController::replaceByShown(OpenedFiles shown) {
    if (shown.unclear) {
        messages_.showMessage(MessageBar::Kind::Notice,
                              tr("%1: it is not clear what its arrays are; File > Open asks.").arg(shown.title),
                              BackgroundRead::topic);
        emit opened(false);
        return;
    }
    if (shown.settings_alone) {
        takeSettings(shown);
        emit opened(true);
        return;
    }
    // What comes in quick succession is one step, which holds no more than two documents.
    constexpr qint64 one_step_milliseconds = 1000;
    if (!since_show_.isValid() || since_show_.elapsed() > one_step_milliseconds)
        show_gesture_ = Document::newGesture();
    since_show_.start();
    messages_.clear(BackgroundRead::topic);
    announceCapture(shown, true);
    document_.replace(tr("Show %1").arg(shown.title), std::move(shown.problem), shown.title, std::move(shown.remarks),
                      show_gesture_, filesOf(shown));
    emit opened(true);
}

/// Tokens stay those of the arrays.
void FileController::takeSettings(const OpenedFiles& opened) {
    auto next = document_.problem();
    next.spec = opened.problem.spec;
    next.compared_with = opened.problem.compared_with;
    next.key_grid = opened.problem.key_grid;
    viewFromJson(opened.view_json, view_);
    document_.edit(tr("Settings of %1").arg(opened.title), std::move(next));
    messages_.showMessage(MessageBar::Kind::Notice,
                          tr("%1 holds its settings without its arrays, which were too large: the settings are used "
                             "for the arrays that are open.")
                              .arg(opened.title),
                          BackgroundRead::topic);
}

void FileController::announceCapture(const OpenedFiles& opened, bool shown) {
    if (opened.contents && opened.contents->capture && opened.contents->capture->passes.size() > 1)
        emit captureRead(opened.contents, fromPath(opened.contents->capture->file), shown);
}

void FileController::apply(OpenedFiles opened, const QStringList& paths) {
    if (opened.unclear) {
        askForArrays(filesOf(opened), paths);
        return;
    }
    if (opened.settings_alone) {
        takeSettings(opened);
    } else if (opened.replaces) {
        if (!mayDiscard())
            return;
        viewFromJson(opened.view_json, view_);
        if (!paths.isEmpty()) // a pass that the user has chosen is for the workspace
            announceCapture(opened, false);
        document_.reset(std::move(opened.problem), opened.path, opened.title, opened.stamp, filesOf(opened));
        document_.setRemarks(std::move(opened.remarks));
        crash_recovery_.end();
    } else {
        document_.edit(tr("Open %1").arg(displayFileName(paths.first())), std::move(opened.problem));
        if (!opened.remarks.empty()) {
            auto remarks = document_.remarks();
            remarks.insert(remarks.end(), opened.remarks.begin(), opened.remarks.end());
            document_.setRemarks(std::move(remarks));
        }
        announceTensor(paths.first(), opened.tensor);
    }
    if (!paths.isEmpty()) // else they were noted when they were read
        addRecentFiles(paths);
}

void FileController::useTensor(const QString& name, const Tensor& values, const QString& path) {
    auto problem = document_.problem();
    problem.tensors.insert_or_assign(name.toStdString(), values);
    document_.edit(tr("Open %1").arg(displayFileName(path)), std::move(problem));
    announceTensor(path, name);
    addRecentFiles({path});
}

void FileController::announceTensor(const QString& file, const QString& tensor) {
    messages_.showMessage(MessageBar::Kind::Notice, tr("%1 is now %2").arg(displayFileName(file), tensor),
                          BackgroundRead::topic);
    emit tensorOpened(tensor);
}

void FileController::addRecentFiles(const QStringList& paths) {
    settings::addRecentFiles(paths);
    emit recentFilesChanged();
}

void FileController::askForArrays(const OpenedFrom& files, const QStringList& paths) {
    const auto take = [this, files, paths](const Choices& chosen) {
        reading_.start<OpenedFiles>(
            [files, chosen](const RunControl& control) {
                auto opened = openContents(files.contents, files.title, chosen, control);
                opened.files = files.paths;
                return opened;
            },
            [this, contents = files.contents, chosen, paths](OpenedFiles opened) {
                if (!opened.unclear) // a repeated question is not an answer
                    rememberChoices(*contents, chosen);
                apply(std::move(opened), paths);
            });
    };
    if (array_chooser_) {
        if (const auto chosen = array_chooser_(files.contents, files.choices))
            take(*chosen);
        return;
    }
    auto* picker = new ArrayPicker(files.contents, files.choices, window_);
    picker->setAttribute(Qt::WA_DeleteOnClose);
    connect(picker, &QDialog::accepted, this, [take, picker] { take(picker->choices()); });
    picker->open();
}

void FileController::chooseArrays() {
    if (mayChooseArrays())
        askForArrays(document_.files(), {});
}

bool FileController::mayChooseArrays() const { return document_.files().contents != nullptr; }

bool FileController::openSample(const QString& id) {
    const auto sample =
        std::ranges::find_if(samples(), [&id](const Sample& each) { return id == QLatin1String(each.id); });
    if (sample == samples().end() || !mayDiscard())
        return false;
    dropReads();
    try {
        std::string view_json;
        auto problem = sample->read(&view_json);
        problem.tensors = adopted_tensors(problem);
        view_.setPinned({});
        view_.setBatch(0);
        view_.setHead(0);
        view_.setStage(QStringLiteral("weights"));
        viewFromJson(view_json, view_);
        resetTo(std::move(problem), QString::fromUtf8(sample->title));
        emit opened(true);
        if (sample->to_edit)
            emit inputsWanted();
    } catch (const Error& error) {
        messages_.showMessage(MessageBar::Kind::Error, error.message(), BackgroundRead::topic);
    }
    return true;
}

bool FileController::newDocument() {
    if (!mayDiscard())
        return false;
    dropReads();
    AttentionProblem problem;
    complete_inputs(problem, input_seed);
    view_.setPinned({});
    view_.setBatch(0);
    view_.setHead(0);
    resetTo(std::move(problem), {});
    return true;
}

bool FileController::openProblem(const AttentionProblem& problem, const QString& title, const QString& stage, int batch,
                                 int head, std::optional<Cell> pinned) {
    if (!mayDiscard())
        return false;
    dropReads();
    view_.setPinned(pinned);
    view_.setBatch(batch);
    view_.setHead(head);
    view_.setStage(stage);
    resetTo(problem, title);
    emit opened(true);
    return true;
}

/// A document that is not from a file.
void FileController::resetTo(AttentionProblem problem, const QString& title) {
    messages_.clear(BackgroundRead::topic);
    document_.reset(std::move(problem), {}, title);
    crash_recovery_.end();
}

bool FileController::replaceByLeftWork(OpenedFiles work) {
    if (!mayDiscard())
        return false;
    crash_recovery_.end();
    viewFromJson(work.view_json, view_);
    document_.reset(std::move(work.problem), work.path, work.title, work.stamp);
    document_.setUnsaved();
    return true;
}

bool FileController::save() {
    finishTyping();
    if (document_.path().isEmpty())
        return saveAs();
    const auto now = io::stamp_of(toPath(document_.path()));
    const bool changed = document_.stamp() && now && *now != *document_.stamp();
    switch (changed ? askAboutChangedFile() : ChangedFile::Overwrite) {
    case ChangedFile::Overwrite:
        return saveTo(document_.path());
    case ChangedFile::SaveAs:
        return saveAs();
    default:
        return false;
    }
}

FileController::ChangedFile FileController::askAboutChangedFile() {
    if (changed_file_ != ChangedFile::Ask)
        return changed_file_;
    const QString text =
        tr("“%1” was written by another program, or another window, since it was opened here.").arg(document_.title());
    switch (askForChoice(window_, {tr("The file has changed"), text, tr("Saving to it would replace those changes.")},
                         {{tr("Save as…"), QMessageBox::AcceptRole}, {tr("Replace"), QMessageBox::DestructiveRole}})) {
    case 0:
        return ChangedFile::SaveAs;
    case 1:
        return ChangedFile::Overwrite;
    default:
        return ChangedFile::Cancel;
    }
}

bool FileController::saveAs() {
    finishTyping();
    auto name = QFileInfo(document_.title()).completeBaseName();
    name.remove(QLatin1Char('?')).remove(QLatin1Char('/')).remove(QLatin1Char(':'));
    const auto path =
        choosePathToSave(window_, {tr("Save the workspace"), name, {QStringLiteral("npz")}, tr("Workspaces (*.npz)")});
    return !path.isEmpty() && saveTo(path);
}

bool FileController::saveTo(const QString& path) {
    const LatestJobBase::Hold until_saved(reading_);
    const auto problem = document_.problem();
    std::optional<io::FileStamp> stamp;
    TensorMap moved;
    const auto outcome =
        writeInBackground(window_, tr("Saving…"), [&, view = viewToJson(view_)](const RunControl& control) {
            io::write_workspace(toPath(path), problem, view, control);
            stamp = io::stamp_of(toPath(path));
            try {
                moved = io::stored_tensors(toPath(path), problem.tensors); // they may have been file-backed before
            } catch (const Error&) {                                       // the save itself has succeeded
            }
        });
    if (outcome.error)
        messages_.showMessage(MessageBar::Kind::Error, *outcome.error, BackgroundRead::topic);
    if (!outcome.ok())
        return false;
    // What has replaced the problem meanwhile was not saved.
    if (document_.problem() == problem) {
        document_.setSaved(path, stamp, std::move(moved));
        crash_recovery_.end();
    }
    addRecentFiles({path});
    messages_.showMessage(MessageBar::Kind::Notice, tr("Saved as %1").arg(displayName(path)), BackgroundRead::topic);
    return true;
}

void FileController::chooseAndOpen() {
    const auto paths = QFileDialog::getOpenFileNames(
        window_, tr("Open workspaces or arrays"), settings::lastFolder(),
        tr("Workspaces and arrays (%1);;All files (*)").arg(filePatterns(io::readable_suffixes())));
    open(paths);
}

void FileController::finishTyping() {
    QWidget* editor = QApplication::focusWidget();
    if (!editor || !window_->isAncestorOf(editor))
        return;
    if (auto* table = tableEditedBy(editor))
        table->setFocus();
    else if (qobject_cast<QLineEdit*>(editor) || qobject_cast<QComboBox*>(editor) ||
             qobject_cast<QAbstractSpinBox*>(editor)) {
        const QPointer<QWidget> field(editor), around(editor->parentWidget());
        editor->clearFocus(); // leaving them commits their text
        if (QApplication::focusWidget())
            return;
        if (field && field->isVisible())
            field->setFocus();
        else if (around) // the field of a word goes
            around->setFocus();
    }
}

/// Asks about each document with unsaved work while it is on show: one may lie under a file that was shown since.
bool FileController::mayDiscard() {
    if (asking_)
        return false; // its question is on show
    const QScopedValueRollback<bool> asking(asking_, true);
    const LatestJobBase::Hold until_answered(reading_);
    finishTyping();
    auto* steps = document_.undoStack();
    const int present = steps->index();
    for (const int work : document_.unsavedWorks()) {
        steps->setIndex(work);
        const auto answer = askAboutUnsaved();
        if (answer == Answer::Cancel || (answer == Answer::Save && !save())) {
            steps->setIndex(present);
            return false;
        }
    }
    return true;
}

FileController::Answer FileController::askAboutUnsaved() {
    if (answer_ != Answer::Ask)
        return answer_;
    const auto button = ask(window_,
                            {tr("Unsaved changes"), tr("“%1” has changes that are not saved.").arg(document_.title()),
                             lossOf(document_.unsavedSteps())},
                            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return button == QMessageBox::Save      ? Answer::Save
           : button == QMessageBox::Discard ? Answer::Discard
                                            : Answer::Cancel;
}

} // namespace attnlab::ui
