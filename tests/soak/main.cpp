// The program with a driver that performs random actions: scripts/soak runs it round after round.
#include "app/command_line.h"
#include "tests/soak/driver.h"
#include "tests/soak/soak_watch.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QTimer>

#include <cstdio>
#include <cstdlib>

namespace {

attnlab::soak::Plan plan;

attnlab::ui::MainWindow* mainWindow() {
    for (auto* widget : QApplication::topLevelWidgets())
        if (auto* window = qobject_cast<attnlab::ui::MainWindow*>(widget))
            return window;
    return nullptr;
}

/// Called by Qt when the program creates its application object; the rest starts when the window is shown.
void takeControl() {
    attnlab::soak::watchLoop();
    QTimer::singleShot(0, qApp, [] {
        auto* window = mainWindow();
        if (!window)
            attnlab::soak::fail(QStringLiteral("there is no window"));
        new attnlab::soak::Driver(*window, plan);
    });
}
Q_COREAPP_STARTUP_FUNCTION(takeControl)

} // namespace

int main(int argc, char** argv) {
    if (argc != 5) {
        std::fprintf(stderr, "usage: %s FOLDER SEED LIFE LIVES\n", argv[0]);
        return 2;
    }
    plan = {QString::fromLocal8Bit(argv[1]), std::strtoull(argv[2], nullptr, 10), std::atoi(argv[3]), false};
    plan.last = plan.life + 1 == std::atoi(argv[4]);
    attnlab::soak::describe(QStringLiteral("seed %1, run %2").arg(plan.seed).arg(plan.life));
    attnlab::soak::watchProcess();
    return attnlab::app::run(1, argv);
}
