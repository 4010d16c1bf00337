// Types, clicks and drags at random.
#pragma once

#include "tests/soak/random_problem.h"

class QWidget;

namespace attnlab::ui {
class MainWindow;
}

namespace attnlab::soak {

/// Its keys and its mouse go to whatever is in front: a popup, a dialog, or mostly the window.
class Hands {
public:
    Hands(ui::MainWindow& window, Chance& chance) : window_(window), chance_(chance) {}

    /// Types or pastes into the table of the inputs.
    void typeNumber();
    void pressKey();
    void mouse();

private:
    QWidget* target();

    ui::MainWindow& window_;
    Chance& chance_;
};

} // namespace attnlab::soak
