// A part of the workspace that the user can hide.
#pragma once

#include <QObject>

class QAction;
class QWidget;

namespace attnlab::ui {

/// Shows a widget while it has something to show and the user has not hidden it; the user's choice is stored in the
/// settings.
class SidePart : public QObject {
    Q_OBJECT
public:
    /// `id` is that of the settings.
    SidePart(const QString& id, const QString& title, QWidget* part);

    /// Checkable, for menus.
    QAction* action() const { return action_; }
    /// Whether there is anything to show.
    void setNeeded(bool needed);
    /// Whether the window has room for it; without, the action is disabled.
    void setRoom(bool room);

signals:
    void shown(bool shown);

private:
    void refresh();

    QWidget* part_;
    QAction* action_;
    bool needed_ = true, room_ = true;
};

} // namespace attnlab::ui
