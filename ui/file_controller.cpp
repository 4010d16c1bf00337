#include "ui/file_controller.h"

#include "core/inputs.h"
#include "core/io/workspace.h"
#include "core/variants.h"
#include "ui/background_write.h"
#include "ui/document.h"
#include "ui/failure.h"
#include "ui/message_bar.h"
#include "ui/samples.h"
#include "ui/save_path.h"
#include "ui/settings.h"
#include "ui/text.h"
#include "ui/view_json.h"
#include "ui/view_state.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFutureWatcher>
#include <QMessageBox>
#include <QProgressDialog>
#include <QPushButton>
#include <QtConcurrent>

#include <algorithm>
#include <variant>

namespace attnlab::ui {
namespace {

QString patterns(const std::vector<std::string>& suffixes) {
    QStringList list;
    for (const auto& suffix : suffixes)
        list << QStringLiteral("*.") + QString::fromStdString(suffix);
    return list.join(QLatin1Char(' '));
}

/// The array called `name` of a file, or the only one that it has.
std::pair<QString, Tensor> readArray(const QString& path, const QString& name) {
    auto read = io::read_tensors(path.toStdString());
    auto chosen = read.find(name.toStdString());
    if (chosen == read.end() && read.size() != 1)
        throw Error({ATTNLAB_TEXT("%1: holds %2 arrays, expected one, or one called %3"),
                     {path.toStdString(), std::to_string(read.size()), name.toStdString()}});
    if (chosen == read.end())
        chosen = read.begin();
    return {QString::fromStdString(chosen->first), chosen->second};
}

} // namespace

FileController::FileController(Document& document, ViewState& view, MessageBar& messages, QWidget* window)
    : QObject(window), document_(document), view_(view), messages_(messages), window_(window),
      recovery_(document, view) {}

FileController::~FileController() = default;

void FileController::readInBackground(std::function<OpenedFiles()> read, std::function<void(OpenedFiles)> apply) {
    using Outcome = std::variant<OpenedFiles, Message>;
    auto* progress = new QProgressDialog(tr("Reading…"), tr("Cancel"), 0, 0, window_);
    constexpr int patience_milliseconds = 300;
    progress->setMinimumDuration(patience_milliseconds);
    progress->setWindowModality(Qt::WindowModal);
    progress->setValue(0);

    auto* watcher = new QFutureWatcher<Outcome>(this);
    connect(watcher, &QFutureWatcher<Outcome>::finished, this, [this, watcher, progress, apply] {
        watcher->deleteLater();
        const bool given_up = progress->wasCanceled();
        progress->reset();
        progress->deleteLater();
        if (given_up) {
            emit opened(false);
            return;
        }
        auto outcome = watcher->result();
        if (const auto* error = std::get_if<Message>(&outcome)) {
            report(*error);
            emit opened(false);
        } else {
            apply(std::get<OpenedFiles>(std::move(outcome)));
            emit opened(true);
        }
    });
    watcher->setFuture(QtConcurrent::run([read]() -> Outcome {
        Outcome outcome;
        if (const auto error = failureOf([&] { outcome = read(); }, reading_failed))
            outcome = *error;
        return outcome;
    }));
}

void FileController::open(const QStringList& paths, const QString& shown_tensor) {
    if (paths.isEmpty())
        return;
    readInBackground(
        [paths, present = document_.problem(), shown_tensor] { return openFiles(paths, present, shown_tensor); },
        [this, paths](OpenedFiles opened) { apply(std::move(opened), paths); });
}

void FileController::apply(OpenedFiles opened, const QStringList& paths) {
    if (opened.replaces) {
        if (!mayDiscard())
            return;
        viewFromJson(opened.view_json, view_);
        document_.reset(std::move(opened.problem), opened.path, opened.title);
        endRecovery();
    } else {
        document_.edit(tr("Open %1").arg(QFileInfo(paths.first()).fileName()), std::move(opened.problem));
        messages_.showMessage(MessageBar::Kind::Notice,
                              tr("%1 is now %2").arg(QFileInfo(paths.first()).fileName(), opened.tensor));
        emit tensorOpened(opened.tensor);
    }
    settings::noteFiles(paths);
    emit recentFilesChanged();
}

void FileController::openSample(const QString& id) {
    for (const auto& sample : samples()) {
        if (id != QLatin1String(sample.id) || !mayDiscard())
            continue;
        try {
            std::string view_json;
            auto problem = sample.read(&view_json);
            problem.tensors = adopted_tensors(problem);
            view_.setPinned({});
            view_.setBatch(0);
            view_.setHead(0);
            view_.setStage(QStringLiteral("weights"));
            viewFromJson(view_json, view_);
            document_.reset(std::move(problem), {}, sample.displayTitle());
            endRecovery();
            emit opened(true);
        } catch (const Error& error) {
            report(error.message());
        }
    }
}

void FileController::newDocument() {
    if (!mayDiscard())
        return;
    AttentionProblem problem;
    constexpr std::uint64_t seed = 1;
    complete_inputs(problem, seed);
    view_.setPinned({});
    view_.setBatch(0);
    view_.setHead(0);
    document_.reset(std::move(problem));
    endRecovery();
}

void FileController::openProblem(const AttentionProblem& problem, const QString& title, const QString& stage) {
    if (!mayDiscard())
        return;
    view_.setPinned({});
    view_.setBatch(0);
    view_.setHead(0);
    view_.setStage(stage);
    document_.reset(problem, {}, title);
    endRecovery();
    emit opened(true);
}

bool FileController::save() {
    finishTyping();
    return document_.path().isEmpty() ? saveAs() : saveTo(document_.path());
}

bool FileController::saveAs() {
    finishTyping();
    auto name = QFileInfo(document_.title()).completeBaseName();
    name.remove(QLatin1Char('?')).remove(QLatin1Char('/')).remove(QLatin1Char(':'));
    const auto path =
        choosePathToSave(window_, {tr("Save the workspace"), name, {QStringLiteral("npz")}, tr("Workspaces (*.npz)")});
    return !path.isEmpty() && saveTo(path);
}

/// False when it failed, as the message bar then says, or was cancelled.
bool FileController::writeFile(std::function<void(const RunControl&)> write) {
    const auto outcome = writeInBackground(window_, tr("Saving…"), std::move(write));
    if (outcome.error)
        report(*outcome.error);
    return outcome.ok();
}

bool FileController::saveTo(const QString& path) {
    const auto problem = document_.problem();
    if (!writeFile([path, problem, view = viewToJson(view_)](const RunControl& control) {
            io::write_workspace(path.toStdString(), problem, view, control);
        }))
        return false;
    // A file that was being read may have taken its place meanwhile, and is not what was saved.
    if (document_.problem() == problem) {
        document_.setSaved(path);
        endRecovery();
    }
    settings::noteFiles({path});
    emit recentFilesChanged();
    messages_.showMessage(MessageBar::Kind::Notice, tr("Saved as %1").arg(QDir::toNativeSeparators(path)));
    return true;
}

void FileController::chooseAndOpen(const QString& shown_tensor) {
    const auto paths = QFileDialog::getOpenFileNames(
        window_, tr("Open workspaces or arrays"), settings::lastFolder(),
        tr("Workspaces and arrays (%1);;All files (*)").arg(patterns(io::readable_suffixes())));
    open(paths, shown_tensor);
}

QString FileController::choosePath(const QString& title) {
    return QFileDialog::getOpenFileName(window_, title, settings::lastFolder(),
                                        tr("Arrays (%1);;All files (*)").arg(patterns(io::readable_suffixes())));
}

void FileController::chooseForTensor(const QString& tensor) {
    const auto path = choosePath(tr("Open an array as %1").arg(tensor));
    if (path.isEmpty())
        return;
    readInBackground(
        [path, tensor, present = document_.problem()] {
            OpenedFiles opened;
            opened.problem = present;
            opened.tensor = tensor;
            opened.problem.tensors.insert_or_assign(tensor.toStdString(), readArray(path, tensor).second);
            return opened;
        },
        [this, path](OpenedFiles opened) { apply(std::move(opened), {path}); });
}

void FileController::chooseArray(std::function<void(const Tensor&, const QString&)> use) {
    const auto path = choosePath(tr("Open an array"));
    if (path.isEmpty())
        return;
    readInBackground(
        [path] {
            OpenedFiles opened;
            auto [name, tensor] = readArray(path, QStringLiteral("attn_mask"));
            opened.tensor = name;
            opened.problem.tensors.emplace(name.toStdString(), std::move(tensor));
            return opened;
        },
        [use](const OpenedFiles& opened) { use(opened.problem.tensors.begin()->second, opened.tensor); });
}

void FileController::chooseToSaveTensor(const QString& tensor) {
    QStringList suffixes{QStringLiteral("npy")};
    for (const auto& suffix : io::writable_suffixes())
        suffixes << QString::fromStdString(suffix);
    const auto path = choosePathToSave(window_, {tr("Save %1").arg(tensor), tensor, suffixes,
                                                 tr("Arrays (%1)").arg(patterns(io::writable_suffixes()))});
    const auto found = document_.problem().tensors.find(tensor.toStdString());
    if (path.isEmpty() || found == document_.problem().tensors.end())
        return;
    if (writeFile([path, name = tensor.toStdString(), values = found->second](const RunControl& control) {
            io::write_tensors(path.toStdString(), {{name, values}}, control);
        }))
        messages_.showMessage(MessageBar::Kind::Notice, tr("Saved as %1").arg(QDir::toNativeSeparators(path)));
}

/// A cell that is being typed into belongs to the work too.
void FileController::finishTyping() {
    const QWidget* editor = QApplication::focusWidget();
    const QWidget* viewport = editor && window_->isAncestorOf(editor) ? editor->parentWidget() : nullptr;
    if (auto* table = viewport ? qobject_cast<QAbstractItemView*>(viewport->parentWidget()) : nullptr)
        table->setFocus();
}

bool FileController::mayDiscard() {
    finishTyping();
    if (!document_.isModified())
        return true;
    auto answer = answer_;
    if (answer == Answer::Ask) {
        QMessageBox box(QMessageBox::Question, tr("Unsaved changes"),
                        tr("“%1” has changes that are not saved.").arg(document_.title()),
                        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, window_);
        box.setDefaultButton(QMessageBox::Save);
        const int button = box.exec();
        answer = button == QMessageBox::Save      ? Answer::Save
                 : button == QMessageBox::Discard ? Answer::Discard
                                                  : Answer::Cancel;
    }
    return answer == Answer::Discard || (answer == Answer::Save && save());
}

void FileController::startRecovery() {
    recovery_.start();
    if (recovery_.hasLeftWork())
        messages_.showQuestion(
            tr("AttnLab was closed before your last work was saved."), tr("Bring it back"), [this] { bringBack(); },
            [this] { recovery_.dropLeftWork(); });
}

void FileController::bringBack() {
    if (!mayDiscard())
        return; // offered again at the next start
    try {
        std::string view;
        auto problem = recovery_.takeLeftWork(&view);
        viewFromJson(view, view_);
        document_.reset(std::move(problem), {}, tr("Recovered"));
        document_.setUnsaved();
    } catch (const Error& error) {
        report(error.message());
    }
}

void FileController::endRecovery() { recovery_.end(); }

void FileController::report(const Message& message) { messages_.showMessage(MessageBar::Kind::Error, message); }

} // namespace attnlab::ui
