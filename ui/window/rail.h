// The bar at the left edge of the window.
#pragma once

#include <QToolBar>

namespace attnlab::ui {

class Actions;
class PanelDocks;

/// Opens files and the panels of the inputs, and leads to models and lessons.
class Rail : public QToolBar {
    Q_OBJECT
public:
    Rail(const Actions& actions, const PanelDocks& panels);

private:
    QAction* command(QAction* action, const QString& text, const QString& icon_name);
};

} // namespace attnlab::ui
