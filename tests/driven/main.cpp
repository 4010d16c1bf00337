// The program with a driver that begins one kind of long work, cancels it, begins it again, and closes the window.
// app.long_work starts it and measures the rest.
#include "app/command_line.h"
#include "tests/driven/long_work.h"
#include "ui/document/file_controller.h"
#include "ui/widgets/latest_job.h"
#include "ui/widgets/text.h"
#include "ui/window/main_window.h"
#include "ui/window/results.h"

#include <QAbstractButton>
#include <QApplication>
#include <QElapsedTimer>
#include <QProgressDialog>
#include <QThreadPool>
#include <QTimer>

#include <cstdio>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

const driven::LongWork* work = nullptr;
QString folder;

MainWindow* mainWindow() {
    for (auto* widget : QApplication::topLevelWidgets())
        if (auto* window = qobject_cast<MainWindow*>(widget))
            return window;
    return nullptr;
}

void say(const QByteArray& line) {
    std::printf("%s\n", line.constData());
    std::fflush(stdout);
}

bool isBusy(MainWindow& window) {
    return threadsOf(WorkPool::Computing).activeThreadCount() > 0 ||
           threadsOf(WorkPool::Files).activeThreadCount() > 0 || window.results().large().isComputing();
}

/// What the user would click.
QAbstractButton* cancelButton() {
    QAbstractButton* found = nullptr;
    for (auto* top : QApplication::topLevelWidgets())
        for (auto* button : top->findChildren<QAbstractButton*>())
            if (button->isVisible() && withoutMnemonic(button->text()) == QLatin1String("Cancel") &&
                (!found || qobject_cast<QProgressDialog*>(top)))
                found = button;
    return found;
}

/// One step after the other, as a user would see it.
class Driver : public QObject {
public:
    explicit Driver(MainWindow& window) : window_(window) {
        window_.files().setAnswer(FileController::Answer::Discard);
        timer_.setInterval(5);
        connect(&timer_, &QTimer::timeout, this, [this] { step(); });
        timer_.start();
    }

private:
    enum class State { Opening, Begun, Cancelled, Again, Closing };

    void begin(State next) {
        state_ = next;
        since_.start();
        QTimer::singleShot(0, &window_, [this] { work->begin(window_, folder); });
    }

    void step() {
        switch (state_) {
        case State::Opening:
            if (!isBusy(window_) && window_.isVisible())
                begin(work->has_cancel ? State::Begun : State::Again);
            return;
        case State::Begun:
            if (since_.elapsed() < patience || !isBusy(window_) || !cancelButton())
                return;
            state_ = State::Cancelled;
            since_.start();
            cancelButton()->click();
            return;
        case State::Cancelled:
            if (isBusy(window_))
                return;
            say("cancelled " + QByteArray::number(since_.elapsed()));
            begin(State::Again);
            return;
        case State::Again:
            if (since_.elapsed() < patience || !isBusy(window_))
                return;
            state_ = State::Closing;
            say("closing");
            window_.close();
            return;
        case State::Closing:
            return;
        }
    }

    static constexpr qint64 patience = 100; ///< milliseconds, in which the work begins
    MainWindow& window_;
    QTimer timer_;
    QElapsedTimer since_;
    State state_ = State::Opening;
};

/// Called by Qt when the program creates its application object.
void takeControl() {
    QTimer::singleShot(0, qApp, [] {
        if (auto* window = mainWindow())
            (new Driver(*window))->setParent(qApp);
    });
}
Q_COREAPP_STARTUP_FUNCTION(takeControl)

} // namespace

int main(int argc, char** argv) {
    work = argc == 3 ? driven::longWork(argv[1]) : nullptr;
    if (!work) {
        std::fprintf(stderr, "usage: %s WORK FOLDER\n", argv[0]);
        return 2;
    }
    folder = QString::fromLocal8Bit(argv[2]);
    return app::run(1, argv);
}
