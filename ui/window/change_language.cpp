// Implements the window's change of language: its widgets are deleted and made again.
#include "ui/document/file_controller.h"
#include "ui/panels/mask/mask_painter.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/actions.h"
#include "ui/window/commands.h"
#include "ui/window/learn_mode.h"
#include "ui/window/main_window.h"
#include "ui/window/menus.h"
#include "ui/window/model_mode.h"
#include "ui/window/panel_docks.h"
#include "ui/window/rail.h"
#include "ui/window/window_place.h"

#include <QEvent>
#include <QTimer>
#include <QToolBar>

#include <memory>

namespace attnlab::ui {

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        rebuild();
    QMainWindow::changeEvent(event);
}

/// Deletes the widgets before what they refer to; an open cell editor still writes to the document when it closes.
void MainWindow::tearDown() {
    delete model_mode_;
    delete learn_;
    delete commands_;
    delete menus_;
    delete middle_;
    delete rail_;
    delete panels_;
    delete bar_;
    delete actions_;
}

void MainWindow::rebuild() {
    files_->finishTyping();
    painter_->end();
    const auto place = std::make_shared<WindowPlace>(*this);
    setUpdatesEnabled(false);
    tearDown();
    build();
    results_->showAgain();
    place->restore(*this);
    QTimer::singleShot(0, this, [this, place] { // after the layout
        place->restoreViews(*this);
        setUpdatesEnabled(true);
    });
    emit document_.titleChanged();
}

} // namespace attnlab::ui
