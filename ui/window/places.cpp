#include "ui/window/places.h"

#include "ui/matrix/map/large_inputs.h"
#include "ui/window/actions.h"
#include "ui/window/learn_mode.h"
#include "ui/window/main_window.h"
#include "ui/window/model_mode.h"

#include <QAction>
#include <QStackedWidget>

namespace attnlab::ui {

Places::Places(MainWindow& window, const QStackedWidget& modes) : QObject(&window), window_(window), modes_(modes) {
    const Actions& actions = window.actions();
    for (QAction* here : {actions.go_workspace, actions.go_map})
        connect(here, &QAction::triggered, this, &Places::goToWorkspace);
    connect(actions.go_model, &QAction::triggered, this, [this] {
        window_.modelMode()->show();
        follow(); // a model that opens is shown later
    });
    connect(actions.go_lessons, &QAction::triggered, this, [this] {
        window_.learnMode()->show();
        follow();
    });
    connect(&modes_, &QStackedWidget::currentChanged, this, &Places::follow);
    connect(window.largeInputs(), &LargeInputs::opened, this, &Places::follow);
    connect(window.largeInputs(), &LargeInputs::closed, this, &Places::follow);
    follow();
}

void Places::goToWorkspace() {
    window_.learnMode()->leave();
    window_.modelMode()->leave();
    follow();
}

void Places::follow() {
    const Actions& actions = window_.actions();
    const bool is_map = window_.largeInputs()->isOpen();
    actions.go_map->setVisible(is_map);
    actions.go_workspace->setVisible(!is_map);
    QAction* place = window_.learnMode()->isOn()   ? actions.go_lessons
                     : window_.modelMode()->isOn() ? actions.go_model
                     : is_map                      ? actions.go_map
                                                   : actions.go_workspace;
    place->setChecked(true);
}

} // namespace attnlab::ui
