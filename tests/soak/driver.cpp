#include "tests/soak/driver.h"

#include "core/io/saved/workspace_file.h"
#include "tests/soak/document_checks.h"
#include "tests/soak/soak_watch.h"
#include "ui/document/file_controller.h"
#include "ui/document/samples.h"
#include "ui/document/settings.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/actions.h"
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QEventLoop>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QProgressDialog>
#include <QPushButton>
#include <QSpinBox>
#include <QThread>
#include <QUndoStack>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>
#include <utility>

#include <unistd.h>

namespace attnlab::soak {

using namespace attnlab::ui;

namespace {

constexpr qint64 megabyte = qint64{1} << 20;
#if defined(__SANITIZE_ADDRESS__)
constexpr bool under_sanitizer = true;
#else
constexpr bool under_sanitizer = false;
#endif

template <class T>
QList<T*> shownIn(QWidget* parent) {
    QList<T*> shown;
    for (auto* child : parent->findChildren<T*>())
        if (child->isVisible() && child->isEnabled())
            shown << child;
    return shown;
}

} // namespace

Driver::Driver(MainWindow& window, const Plan& plan)
    : QObject(&window), window_(window), plan_(plan),
      chance_(plan.seed * 1000003 + static_cast<std::uint64_t>(plan.life)), journal_(plan.folder + "/journal"),
      hands_(window, chance_) {
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &Driver::tick);
    // The window is closed at the end of the run; a run begins as the first one did.
    for (auto* action : {window_.actions().quit, window_.actions().close_window, window_.actions().new_window})
        action->setEnabled(false);
    settings::setReopensLast(false);
    left_ = 40 + chance_.below(chance_.once_in(8) ? 500 : 120);
    begin();
}

void Driver::begin() {
    journal_.checkFiles();
    checkRecovery();
    journal_.begin();
    checks_ = new DocumentChecks(window_.document(), journal_, filesFolder(), this);
    checks_->noteState();
    timer_.start(0);
}

/// Restores the latest offered copy and discards the others, which a later one was about to replace.
void Driver::checkRecovery() {
    const auto expected = journal_.expected();
    const auto offered = [this] { return shownIn<QPushButton>(window_.offers()); };
    if (offered().isEmpty()) {
        if (expected.required)
            fail(QStringLiteral("work was lost: nothing is offered after a kill"));
        return;
    }
    if (!expected.was_killed)
        fail(QStringLiteral("work is offered after the window was closed: ") + window_.offers()->text());
    note(QStringLiteral("bring back: ") + window_.offers()->text());
    QEventLoop reading;
    bool read = false;
    connect(&window_.files(), &FileController::opened, &reading, [&](bool ok) {
        read = ok;
        reading.quit();
    });
    offered().first()->click();
    reading.exec();
    if (!read)
        fail(QStringLiteral("what is offered cannot be read: ") + window_.messageBar()->text());
    if (const auto digest = digestOf(window_.document().problem()); !expected.digests.contains(digest))
        fail(QStringLiteral("what was brought back is none of the last states: ") + QString::fromLatin1(digest));
    if (!window_.document().isModified())
        fail(QStringLiteral("what was brought back counts as saved"));
    while (!offered().isEmpty())
        offered().last()->click();
}

void Driver::tick() {
    timer_.start(chance_.once_in(60) ? 1000 + chance_.below(2500) : chance_.below(25));
    auto* modal = qobject_cast<QDialog*>(QApplication::activeModalWidget());
    // In an event loop within an action, or one that waits for a file to be written and blocks input.
    if (busy_ || (QThread::currentThread()->loopLevel() > 1 && !modal && !QApplication::activePopupWidget())) {
        if (modal && modal != fiddled_)
            answer(modal);
        else if (QApplication::activePopupWidget())
            hands_.pressKey();
        return;
    }
    busy_ = true;
    if (ending_)
        end();
    else if (modal)
        answer(modal);
    else
        act();
    busy_ = false;
    if (ending_)
        return;
    checks_->noteState();
    if (--left_ <= 0)
        ending_ = true;
}

void Driver::act() {
    const int choice = chance_.below(100);
    if (choice < 18)
        hands_.typeNumber();
    else if (choice < 50)
        hands_.mouse();
    else if (choice < 62)
        hands_.pressKey();
    else if (choice < 74)
        trigger();
    else if (choice < 82)
        undoAndRedo();
    else if (choice < 87)
        openDocument();
    else if (choice < 92)
        save();
    else if (choice < 97) {
        note(QStringLiteral("another spec"));
        window_.document().setSpecCompletingInputs(changedSpec(window_.document().problem().spec, chance_),
                                                   QStringLiteral("soak"));
    } else {
        const QSize size(300 + chance_.below(1300), 250 + chance_.below(900));
        note(QStringLiteral("resize to %1 x %2").arg(size.width()).arg(size.height()));
        window_.resize(size);
    }
}

/// Triggers a command, by its action or from a menu.
void Driver::trigger() {
    QList<QAction*> possible;
    const auto& actions = window_.actions();
    // What is in other windows and on paper is not in the journal.
    const QList<const QAction*> left_out{actions.quit, actions.close_window, actions.new_window, actions.print};
    for (auto* action : window_.findChildren<QAction*>())
        if (!left_out.contains(action) && action->isEnabled() && action->isVisible() && !action->isSeparator() &&
            !action->menu())
            possible << action;
    if (possible.isEmpty() || QApplication::activePopupWidget())
        return;
    auto* action = possible[chance_.below(static_cast<int>(possible.size()))];
    note(QStringLiteral("action %1 (%2)").arg(action->objectName(), action->text()));
    action->trigger();
}

void Driver::undoAndRedo() {
    auto* stack = window_.document().undoStack();
    const int to = chance_.below(stack->count() + 1);
    note(QStringLiteral("undo or redo to %1 of %2").arg(to).arg(stack->count()));
    stack->setIndex(to);
}

void Driver::openDocument() {
    auto& files = window_.files();
    files.setAnswer(FileController::Answer::Discard);
    switch (chance_.below(4)) {
    case 0: {
        const auto list = samples();
        const auto& sample = list[static_cast<std::size_t>(chance_.below(static_cast<int>(list.size())))];
        note(QStringLiteral("sample ") + QLatin1String(sample.id));
        files.openSample(QString::fromLatin1(sample.id));
        break;
    }
    case 1: {
        const auto path = randomPath("npz");
        note(QStringLiteral("open ") + path);
        files.openOrJoin({path}, window_.findChild<InputsPanel*>()->currentTensor()); // which may not exist
        break;
    }
    case 2: {
        const auto path = plan_.folder + QStringLiteral("/random.npz");
        io::write_workspace(path.toStdString(), randomProblem(chance_));
        note(QStringLiteral("open a random problem"));
        files.open({path});
        break;
    }
    default:
        note(QStringLiteral("another random problem"));
        files.openProblem(randomProblem(chance_), QStringLiteral("random"), QStringLiteral("weights"));
    }
    files.setAnswer(chance_.once_in(4) ? FileController::Answer::Ask : FileController::Answer::Discard);
    constexpr int first_documents = 12;
    if (++documents_ == first_documents)
        resident_ = residentBytes();
}

/// The folder of the workspaces. Nothing else is written there.
QString Driver::filesFolder() const { return plan_.folder + QStringLiteral("/files"); }

QString Driver::randomPath(const char* suffix) {
    QDir().mkpath(filesFolder());
    return filesFolder() + QStringLiteral("/file%1.%2").arg(chance_.below(5)).arg(QLatin1String(suffix));
}

/// A saved problem must be read back unchanged.
void Driver::save() {
    const auto path = randomPath("npz");
    const auto problem = window_.document().problem();
    note(QStringLiteral("save ") + path);
    journal_.saving(path, digestOf(problem));
    if (!window_.files().saveTo(path)) { // it reports the reason
        note(QStringLiteral("not saved: ") + window_.messageBar()->text());
        return;
    }
    journal_.saved(path);
    const auto read = io::read_workspace(path.toStdString());
    if (digestOf(read) != digestOf(problem))
        fail(QStringLiteral("what was saved reads otherwise: %1: %2").arg(path, differenceOf(problem, read)));
}

void Driver::answer(QDialog* dialog) {
    note(QStringLiteral("dialog %1 '%2'").arg(nameOf(dialog), dialog->windowTitle()));
    if (auto* files = qobject_cast<QFileDialog*>(dialog)) {
        if (auto* name = files->findChild<QLineEdit*>(QStringLiteral("fileNameEdit")); name && chance_.once_in(2)) {
            static const char* const suffixes[] = {"npz", "png", "svg", "pdf", "csv", "npy", "webp", "gif"};
            name->setText(files->acceptMode() == QFileDialog::AcceptSave
                              ? plan_.folder + QStringLiteral("/out.") + QLatin1String(suffixes[chance_.below(8)])
                              : randomPath("npz"));
            QMetaObject::invokeMethod(files, "accept");
        } else {
            files->reject();
        }
    } else if (auto* box = qobject_cast<QMessageBox*>(dialog)) {
        const auto buttons = box->buttons();
        if (!buttons.isEmpty())
            buttons[chance_.below(static_cast<int>(buttons.size()))]->click();
    } else if (auto* progress = qobject_cast<QProgressDialog*>(dialog)) {
        if (chance_.once_in(10))
            progress->cancel();
    } else {
        // It may write a file meanwhile, which blocks input.
        const auto* outer = std::exchange(fiddled_, dialog);
        fiddle(dialog);
        fiddled_ = outer;
    }
}

void Driver::fiddle(QDialog* dialog) {
    const auto any = [&](const auto& list) { return list[chance_.below(static_cast<int>(list.size()))]; };
    switch (chance_.below(7)) {
    case 0:
        dialog->reject();
        return;
    case 1:
        for (auto* button : shownIn<QPushButton>(dialog))
            if (button->isDefault()) {
                button->click();
                return;
            }
        break;
    case 2:
        if (const auto boxes = shownIn<QComboBox>(dialog); !boxes.isEmpty())
            any(boxes)->setCurrentIndex(chance_.below(3));
        break;
    case 3:
        if (const auto boxes = shownIn<QSpinBox>(dialog); !boxes.isEmpty())
            any(boxes)->setValue(chance_.below(100));
        break;
    case 4:
        if (const auto lines = shownIn<QLineEdit>(dialog); !lines.isEmpty())
            any(lines)->insert(randomNumber(chance_));
        break;
    case 5:
        if (const auto buttons = shownIn<QAbstractButton>(dialog); !buttons.isEmpty())
            any(buttons)->click();
        break;
    default:
        hands_.mouse();
    }
}

void Driver::checkMemory() {
    constexpr qint64 most_growth = 300 * megabyte;
    const auto now = residentBytes();
    std::fprintf(stderr, "  memory: %lld MB after %d documents%s\n", static_cast<long long>(now / megabyte), documents_,
                 resident_ ? qPrintable(QStringLiteral(", %1 MB after the first").arg(resident_ / megabyte)) : "");
    if (under_sanitizer) // which keeps freed memory for a while
        return;
    if (resident_ != 0 && now > resident_ + most_growth)
        fail(QStringLiteral("memory grew from %1 to %2 MB").arg(resident_ / megabyte).arg(now / megabyte));
}

/// Closes the window as a user does, or kills the program: at once, during a save, or by a signal that it handles.
void Driver::end() {
    checkMemory();
    const int how = plan_.last ? 3 : chance_.below(4);
    if (how == 3) {
        note(QStringLiteral("close"));
        // Closes dialogs and popups first.
        for (auto* widget : QApplication::topLevelWidgets())
            if (widget != &window_ && widget->isVisible())
                widget->close();
        window_.files().setAnswer(FileController::Answer::Discard);
        journal_.end("quit");
        if (!window_.close())
            fail(QStringLiteral("the window does not close"));
        timer_.stop();
        return;
    }
    checks_->noteState();
    note(QStringLiteral("die"));
    const int wait = chance_.below(30'000);
    const int signal = how == 2 ? SIGTERM : SIGKILL;
    if (how == 0) {
        journal_.end("killed");
        ::kill(::getpid(), signal);
    }
    std::thread([this, wait, signal] {
        std::this_thread::sleep_for(std::chrono::microseconds(wait));
        journal_.end("killed");
        ::kill(::getpid(), signal);
    }).detach();
    for (;;)
        save();
}

} // namespace attnlab::soak
