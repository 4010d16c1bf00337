// The panels around the window's centre, and their arrangement on screens of different heights.
#pragma once

#include <QList>
#include <QMainWindow>
#include <QObject>

class QAction;
class QDockWidget;

namespace attnlab::ui {

/// Arrangements are saved separately for low screens (a projector, or a screen at 200 %), where panels share one place.
class PanelDocks : public QObject {
    Q_OBJECT
public:
    /// Adds panels to `window`, which owns this object.
    explicit PanelDocks(QMainWindow& window);
    /// Deletes the panels.
    ~PanelDocks() override;

    /// In the order inputs, mask, inspector. `title` is a literal marked by QT_TRANSLATE_NOOP("PanelDocks", ...).
    QDockWidget* add(const char* id, const char* title, QWidget* content, Qt::DockWidgetArea area,
                     const QMargins& margins);
    const QList<QDockWidget*>& all() const { return docks_; }

    /// Restores the initial arrangement: inputs and mask are open where the window has room for them.
    void layOut();
    /// Opens inputs and mask.
    void openInputs();
    bool showsInputs() const;
    /// Show and hide panels.
    QList<QAction*> actions() const;
    void restore();
    QByteArray saved() const;

private:
    QMainWindow& window_;
    QList<QDockWidget*> docks_;
    QList<Qt::DockWidgetArea> areas_;
};

} // namespace attnlab::ui
