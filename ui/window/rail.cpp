#include "ui/window/rail.h"

#include "ui/widgets/icon.h"
#include "ui/widgets/one_tab_stop.h"
#include "ui/widgets/text.h"
#include "ui/window/actions.h"
#include "ui/window/panel_docks.h"

#include <QDockWidget>
#include <QToolButton>

namespace attnlab::ui {

Rail::Rail(const Actions& actions, const PanelDocks& panels) {
    setObjectName(QStringLiteral("rail"));
    setWindowTitle(tr("Side bar"));
    setMovable(false);
    setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    setIconSize(QSize(20, 20));
    command(actions.open, tr("Open"), QStringLiteral("open"));
    addSeparator();
    for (int i = 0; i < 2; ++i) {
        QAction* toggle = panels.all()[i]->toggleViewAction();
        toggle->setIcon(icon(i == 0 ? QStringLiteral("inputs") : QStringLiteral("mask")));
        addAction(toggle);
    }
    addSeparator();
    command(actions.show_model, tr("Model"), QStringLiteral("model"));
    command(actions.lessons, tr("Learn"), QStringLiteral("learn"));
    // A tool bar takes the focus from its buttons.
    QList<QWidget*> buttons;
    for (auto* button : findChildren<QToolButton*>(QString(), Qt::FindDirectChildrenOnly))
        if (button->defaultAction()) {
            button->setFocusPolicy(Qt::TabFocus);
            buttons << button;
        }
    new OneTabStop(buttons, this);
}

/// The action with a shorter text.
QAction* Rail::command(QAction* action, const QString& text, const QString& icon_name) {
    auto* shown = addAction(icon(icon_name), text, action, &QAction::trigger);
    const auto follow = [action, shown] {
        shown->setEnabled(action->isEnabled());
        shown->setToolTip(action->toolTip());
    };
    connect(action, &QAction::changed, shown, follow);
    follow();
    return shown;
}

} // namespace attnlab::ui
