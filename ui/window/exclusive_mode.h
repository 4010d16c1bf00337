// Puts another page in place of the workspace: lessons, a model.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QPointer>
#include <QSet>
#include <QWidget>

class QAction;
class QMainWindow;
class QStackedWidget;
class QUndoStack;

namespace attnlab::ui {

class Actions;
class Document;
class TopBar;

/// The parts of the window that are hidden meanwhile, and come back unchanged.
struct ModeContext {
    QMainWindow& window;
    Actions& actions;
    QStackedWidget& centre; ///< the workspace is its first page
    Document& document;
    TopBar& top;
};

/// Hides panels, the workspace's part of the status bar, and the actions on the workspace.
class ExclusiveMode : public QObject {
    Q_OBJECT
public:
    /// `page` is shown in place of the workspace, and `status` in the status bar. Actions in `kept` act on the page,
    /// too, and Undo and Redo act on `steps` if the page has them.
    ExclusiveMode(const ModeContext& parts, QWidget* page, QWidget* status, QObject* parent,
                  const QSet<QAction*>& kept = {}, QUndoStack* steps = nullptr);
    ~ExclusiveMode() override;

    bool isOn() const { return on_; }
    void cover();
    void uncover();

    /// The arrangement of panels and tool bars of the workspace.
    QByteArray usualLayout() const;
    /// Restores an earlier result of usualLayout(). Saving the layout again would round the sizes of panels once more.
    void setUsualLayout(const QByteArray& layout) { layout_ = layout; }

private:
    QWidget* focusOfWorkspace() const;
    void finishTyping();
    void putAway(bool away);
    void showPutAway();
    void showWorkspaceActions(bool shown);

    ModeContext parts_;
    QWidget* page_;
    QWidget* status_;
    bool on_ = false;
    QByteArray layout_;
    QPointer<QWidget> focus_;
    QList<QPointer<QWidget>> put_away_; ///< parts of the status bar
    QSet<QAction*> kept_;               ///< actions of the workspace that the page has, too
    QUndoStack* steps_;                 ///< null: the page has none
};

} // namespace attnlab::ui
