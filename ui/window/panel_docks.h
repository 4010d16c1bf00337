// The panels around the window's centre, and their arrangement on screens of different heights.
#pragma once

#include <QList>
#include <QMainWindow>
#include <QObject>

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

    /// In the order inputs, mask, heads, inspector. `title` is a literal marked by QT_TRANSLATE_NOOP("PanelDocks",
    /// ...).
    void add(const char* id, const char* title, QWidget* content, Qt::DockWidgetArea area, const QMargins& margins);
    const QList<QDockWidget*>& all() const { return docks_; }

    /// Restores the initial arrangement.
    void layOut();
    void restore();
    QByteArray saved() const;

private:
    QMainWindow& window_;
    QList<QDockWidget*> docks_;
    QList<Qt::DockWidgetArea> areas_;
};

} // namespace attnlab::ui
