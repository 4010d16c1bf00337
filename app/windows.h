// The windows of the program.
#pragma once

#include "core/backend.h"
#include "core/map/map_engine.h"

#include <QObject>

namespace attnlab::ui {
class Application;
class MainWindow;
}

namespace attnlab::app {

/// Opens windows, each with a document of its own, which delete themselves when they are closed.
class Windows : public QObject {
    Q_OBJECT
public:
    /// All must outlive this object. `maps` may be null. Failures of event handlers show in the active window.
    Windows(ui::Application& application, Backends backends, const MapEngine* maps);
    /// Deletes those that are open.
    ~Windows() override;

    /// Shows another window, a little below and beside the active one, with a sample. Work left by a crash is offered
    /// in the first window that is not told of it elsewhere.
    ui::MainWindow& open();
    QList<ui::MainWindow*> all() const { return windows_; }

private:
    ui::MainWindow* active() const;

    Backends backends_;
    const MapEngine* maps_;
    QList<ui::MainWindow*> windows_;
};

} // namespace attnlab::app
