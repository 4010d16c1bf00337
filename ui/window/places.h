// The places of the window: workspace, model and lessons.
#pragma once

#include <QObject>

class QStackedWidget;

namespace attnlab::ui {

class MainWindow;

/// Connects the actions of the places (menu Go, rail, Ctrl+1 to Ctrl+4), and checks the one where the user is. Each
/// place keeps its state while another one is on show. A document that is shown as a map has the place Map instead of
/// Workspace.
class Places : public QObject {
    Q_OBJECT
public:
    /// `modes` fills the centre of the window: the workspace is its first page. A child of `window`.
    Places(MainWindow& window, const QStackedWidget& modes);

private:
    void goToWorkspace();
    void follow();

    MainWindow& window_;
    const QStackedWidget& modes_;
};

} // namespace attnlab::ui
