#include "ui/window/exclusive_mode.h"

#include "ui/document/document.h"
#include "ui/window/actions.h"

#include <QAbstractItemView>
#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QUndoStack>

namespace attnlab::ui {
namespace {

/// Actions on the workspace, which is hidden.
constexpr QAction* Actions::*workspace_actions[] = {
    &Actions::print,        &Actions::export_shown,    &Actions::undo,         &Actions::redo,
    &Actions::copy_matrix,  &Actions::copy_picture,    &Actions::zoom_in,      &Actions::zoom_out,
    &Actions::zoom_fit,     &Actions::reset_layout,    &Actions::next_stage,   &Actions::previous_stage,
    &Actions::next_head,    &Actions::previous_head,   &Actions::mean_head,    &Actions::compare,
    &Actions::compare_file, &Actions::compare_setting, &Actions::check_answer, &Actions::paint,
    &Actions::clear_pin,    &Actions::key_grid,        &Actions::large_inputs, &Actions::save,
    &Actions::save_as,      &Actions::undo_limit,      &Actions::make_step};

} // namespace

ExclusiveMode::ExclusiveMode(const ModeContext& parts, QWidget* page, QWidget* status, QObject* parent)
    : QObject(parent), parts_(parts), page_(page), status_(status) {
    parts_.centre.addWidget(page_);
}

void ExclusiveMode::cover() {
    if (on_)
        return;
    finishTyping();
    on_ = true;
    focus_ = parts_.window.focusWidget();
    layout_ = parts_.window.saveState();
    putAway(true);
    setWorkspaceActions(false);
    parts_.centre.setCurrentWidget(page_);
}

void ExclusiveMode::uncover() {
    if (!on_)
        return;
    on_ = false;
    parts_.centre.setCurrentIndex(0);
    putAway(false);
    setWorkspaceActions(true);
    if (focus_)
        focus_->setFocus();
}

QByteArray ExclusiveMode::usualLayout() const { return on_ ? layout_ : parts_.window.saveState(); }

/// Commits a cell editor of the workspace before it is hidden.
void ExclusiveMode::finishTyping() {
    QWidget* editor = parts_.window.focusWidget();
    QWidget* viewport = editor ? editor->parentWidget() : nullptr;
    if (auto* table = viewport ? qobject_cast<QAbstractItemView*>(viewport->parentWidget()) : nullptr)
        table->setFocus();
}

/// Hides or restores panels, tool bars, and the workspace's part of the status bar.
void ExclusiveMode::putAway(bool away) {
    auto& window = parts_.window;
    status_->setVisible(away);
    for (auto* part : window.statusBar()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (away && part != status_ && !part->isHidden()) {
            part->hide();
            put_away_ << part;
        }
    if (!away) {
        for (const auto& part : std::exchange(put_away_, {})) // not that of another page
            if (part)
                part->show();
        window.restoreState(layout_);
        return;
    }
    for (auto* dock : window.findChildren<QDockWidget*>())
        dock->hide();
    for (auto* bar : window.findChildren<QToolBar*>())
        bar->hide();
}

void ExclusiveMode::setWorkspaceActions(bool enabled) {
    auto& actions = parts_.actions;
    actions.panels->menuAction()->setEnabled(enabled);
    actions.copy_as->menuAction()->setEnabled(enabled);
    for (const auto member : workspace_actions) {
        QAction* action = actions.*member;
        if (!enabled && action->isEnabled())
            disabled_.insert(action);
        if (!enabled)
            action->setEnabled(false);
        else if (disabled_.contains(action))
            action->setEnabled(true);
    }
    if (!enabled)
        return;
    disabled_.clear();
    actions.undo->setEnabled(parts_.document.undoStack()->canUndo());
    actions.redo->setEnabled(parts_.document.undoStack()->canRedo());
}

} // namespace attnlab::ui
