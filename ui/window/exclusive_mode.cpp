#include "ui/window/exclusive_mode.h"

#include "ui/document/document.h"
#include "ui/window/actions.h"

#include <QAbstractItemView>
#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QStackedWidget>
#include <QStatusBar>
#include <QUndoGroup>
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
    &Actions::clear_pin,    &Actions::key_grid,        &Actions::save,         &Actions::save_as,
    &Actions::next_page,    &Actions::previous_page};

/// Keeps the window as it was painted while its parts change, and lays them out before they are seen. Does nothing
/// while somebody else keeps it so.
class AtOnce {
public:
    explicit AtOnce(QWidget& window) : window_(window), keeps_(window.updatesEnabled()) {
        if (keeps_)
            window_.setUpdatesEnabled(false);
    }
    ~AtOnce() {
        if (!keeps_)
            return;
        // Parts that change their height request a layout again.
        constexpr int rounds = 4;
        for (int i = 0; i < rounds; ++i)
            QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        window_.setUpdatesEnabled(true);
    }
    AtOnce(const AtOnce&) = delete;
    AtOnce& operator=(const AtOnce&) = delete;

private:
    QWidget& window_;
    bool keeps_;
};

/// Takes the focus from a page before it is hidden, or Qt would give it to the next widget, with a frame around it.
void leaveFocus(const QWidget& window) {
    if (QWidget* focused = window.focusWidget())
        focused->clearFocus();
}

} // namespace

ExclusiveMode::ExclusiveMode(const ModeContext& parts, QWidget* page, QWidget* status, QObject* parent,
                             const QSet<QAction*>& kept, QUndoStack* steps)
    : QObject(parent), parts_(parts), page_(page), status_(status), kept_(kept), steps_(steps) {
    parts_.centre.addWidget(page_);
    if (steps_) {
        kept_ << parts_.actions.undo << parts_.actions.redo;
        parts_.actions.steps->addStack(steps_);
    }
}

/// The status bar outlives the pages, which are built anew in another language.
ExclusiveMode::~ExclusiveMode() { showPutAway(); }

void ExclusiveMode::cover() {
    if (on_)
        return;
    const AtOnce at_once(parts_.window);
    finishTyping();
    on_ = true;
    focus_ = focusOfWorkspace();
    leaveFocus(parts_.window);
    layout_ = parts_.window.saveState();
    putAway(true);
    showWorkspaceActions(false);
    if (steps_)
        parts_.actions.steps->setActiveStack(steps_);
    parts_.centre.setCurrentWidget(page_);
}

void ExclusiveMode::uncover() {
    if (!on_)
        return;
    const AtOnce at_once(parts_.window);
    on_ = false;
    leaveFocus(parts_.window);
    showWorkspaceActions(true); // of which a map hides some
    parts_.actions.steps->setActiveStack(parts_.document.undoStack());
    parts_.centre.setCurrentIndex(0);
    putAway(false);
    if (focus_)
        focus_->setFocus();
}

QByteArray ExclusiveMode::usualLayout() const { return on_ ? layout_ : parts_.window.saveState(); }

/// The focus, or the latest one of the workspace's page if a bar around it has the focus.
QWidget* ExclusiveMode::focusOfWorkspace() const {
    QWidget* focused = parts_.window.focusWidget();
    const QWidget* page = parts_.centre.widget(0);
    for (const QWidget* around = focused; around; around = around->parentWidget())
        if (around == page || qobject_cast<const QDockWidget*>(around))
            return focused;
    return page->focusWidget();
}

/// Commits a cell editor of the workspace before it is hidden.
void ExclusiveMode::finishTyping() {
    QWidget* editor = parts_.window.focusWidget();
    QWidget* viewport = editor ? editor->parentWidget() : nullptr;
    if (auto* table = viewport ? qobject_cast<QAbstractItemView*>(viewport->parentWidget()) : nullptr)
        table->setFocus();
}

/// Hides or restores panels and the workspace's part of the status bar. The row above the pages and the rail stay.
void ExclusiveMode::putAway(bool away) {
    auto& window = parts_.window;
    // A message is about the page that is left. While it lasts, Qt hides the parts of the status bar, and shows them
    // after it, also those that belong to another page by then.
    window.statusBar()->clearMessage();
    status_->setVisible(away);
    for (auto* part : window.statusBar()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (away && part != status_ && !part->isHidden()) {
            part->hide();
            put_away_ << part;
        }
    if (!away) {
        showPutAway();
        window.restoreState(layout_);
        return;
    }
    for (auto* dock : window.findChildren<QDockWidget*>())
        dock->hide();
}

void ExclusiveMode::showPutAway() {
    for (const auto& part : std::exchange(put_away_, {})) // not that of another page
        if (part)
            part->show();
}

/// What does not apply is not shown; a hidden action has no shortcut either, and keeps whether it is enabled.
void ExclusiveMode::showWorkspaceActions(bool shown) {
    auto& actions = parts_.actions;
    for (QMenu* menu : {actions.panels, actions.copy_as})
        menu->menuAction()->setVisible(shown);
    for (const auto member : workspace_actions)
        if (!kept_.contains(actions.*member))
            (actions.*member)->setVisible(shown);
    actions.hideEmptyMenus();
}

} // namespace attnlab::ui
