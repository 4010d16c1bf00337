#include "ui/actions.h"

#include "ui/icon.h"

#include <QApplication>
#include <QKeyEvent>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>

#include <array>

namespace attnlab::ui {
namespace {

struct Row {
    const char* menu; ///< the menu that it stands in
    const char* id;   ///< empty: a separator
    const char* text; ///< with mnemonic
    const char* icon = "";
    const char* shortcut = "";
    bool checkable = false;
    bool submenu = false;
};

struct MenuRow {
    const char* id;
    const char* text;
};

const std::array menu_table = {
    MenuRow{"file", QT_TRANSLATE_NOOP("Actions", "&File")},
    MenuRow{"edit", QT_TRANSLATE_NOOP("Actions", "&Edit")},
    MenuRow{"view", QT_TRANSLATE_NOOP("Actions", "&View")},
    MenuRow{"attention", QT_TRANSLATE_NOOP("Actions", "&Attention")},
    MenuRow{"learn", QT_TRANSLATE_NOOP("Actions", "&Learn")},
    MenuRow{"help", QT_TRANSLATE_NOOP("Actions", "&Help")},
};

const std::array action_table = {
    Row{"file", "new", QT_TRANSLATE_NOOP("Actions", "&New"), "new", "Ctrl+N"},
    Row{"file", "open", QT_TRANSLATE_NOOP("Actions", "&Open…"), "open", "Ctrl+O"},
    Row{"file", "recent", QT_TRANSLATE_NOOP("Actions", "Open &recent"), "", "", false, true},
    Row{"file", "samples", QT_TRANSLATE_NOOP("Actions", "Sa&mples"), "", "", false, true},
    Row{"file", "", ""},
    Row{"file", "save", QT_TRANSLATE_NOOP("Actions", "&Save"), "save", "Ctrl+S"},
    Row{"file", "save_as", QT_TRANSLATE_NOOP("Actions", "Save &as…"), "", "Ctrl+Shift+S"},
    Row{"file", "", ""},
    Row{"file", "export", QT_TRANSLATE_NOOP("Actions", "&Export…"), "export", "Ctrl+E"},
    Row{"file", "", ""},
    Row{"file", "quit", QT_TRANSLATE_NOOP("Actions", "&Quit"), "", "Ctrl+Q"},
    Row{"edit", "undo", QT_TRANSLATE_NOOP("Actions", "&Undo"), "undo", "Ctrl+Z"},
    Row{"edit", "redo", QT_TRANSLATE_NOOP("Actions", "&Redo"), "redo", "Ctrl+Shift+Z"},
    Row{"edit", "", ""},
    Row{"edit", "copy_matrix", QT_TRANSLATE_NOOP("Actions", "Copy &matrix"), "copy", "Ctrl+Shift+C"},
    Row{"edit", "copy_picture", QT_TRANSLATE_NOOP("Actions", "Copy &picture"), "", "Ctrl+Alt+C"},
    Row{"view", "zoom_in", QT_TRANSLATE_NOOP("Actions", "Zoom &in"), "zoom-in", "Ctrl++"},
    Row{"view", "zoom_out", QT_TRANSLATE_NOOP("Actions", "Zoom &out"), "zoom-out", "Ctrl+-"},
    Row{"view", "zoom_fit", QT_TRANSLATE_NOOP("Actions", "&Fit to window"), "zoom-fit", "Ctrl+0"},
    Row{"view", "", ""},
    Row{"view", "panels", QT_TRANSLATE_NOOP("Actions", "&Panels"), "", "", false, true},
    Row{"view", "reset_layout", QT_TRANSLATE_NOOP("Actions", "&Reset layout")},
    Row{"view", "", ""},
    Row{"view", "large_inputs", QT_TRANSLATE_NOOP("Actions", "Lar&ge inputs…")},
    Row{"view", "theme", QT_TRANSLATE_NOOP("Actions", "&Theme"), "theme", "", false, true},
    Row{"view", "language", QT_TRANSLATE_NOOP("Actions", "&Language"), "language", "", false, true},
    Row{"view", "full_screen", QT_TRANSLATE_NOOP("Actions", "F&ull screen"), "", "F11", true},
    Row{"attention", "next_stage", QT_TRANSLATE_NOOP("Actions", "&Next stage"), "", "Alt+Right"},
    Row{"attention", "previous_stage", QT_TRANSLATE_NOOP("Actions", "&Previous stage"), "", "Alt+Left"},
    Row{"attention", "next_head", QT_TRANSLATE_NOOP("Actions", "Next &head"), "", "Alt+PgDown"},
    Row{"attention", "previous_head", QT_TRANSLATE_NOOP("Actions", "Pre&vious head"), "", "Alt+PgUp"},
    Row{"attention", "mean_head", QT_TRANSLATE_NOOP("Actions", "&Mean of heads"), "mean", "Ctrl+M"},
    Row{"attention", "", ""},
    Row{"attention", "compare", QT_TRANSLATE_NOOP("Actions", "&Compare"), "compare", "Ctrl+D"},
    Row{"attention", "compare_file", QT_TRANSLATE_NOOP("Actions", "Compare &with a file…")},
    Row{"attention", "compare_setting", QT_TRANSLATE_NOOP("Actions", "Setting &B from a file…")},
    Row{"attention", "paint", QT_TRANSLATE_NOOP("Actions", "P&aint the mask"), "paint", "Ctrl+Shift+P", true},
    Row{"attention", "clear_pin", QT_TRANSLATE_NOOP("Actions", "&Unpin the cell"), "pin", "Ctrl+U"},
    Row{"attention", "", ""},
    Row{"attention", "key_grid", QT_TRANSLATE_NOOP("Actions", "&Keys as a picture…"), ""},
    Row{"learn", "lessons", QT_TRANSLATE_NOOP("Actions", "&Lessons"), "", "Ctrl+L"},
    Row{"learn", "lesson_menu", QT_TRANSLATE_NOOP("Actions", "&Go to lesson"), "", "", false, true},
    Row{"learn", "scale_lab", QT_TRANSLATE_NOOP("Actions", "&Scale lab")},
    Row{"learn", "mask_lab", QT_TRANSLATE_NOOP("Actions", "&Mask lab")},
    Row{"learn", "open_lesson", QT_TRANSLATE_NOOP("Actions", "&Open a lesson folder…")},
    Row{"learn", "", ""},
    Row{"learn", "next_step", QT_TRANSLATE_NOOP("Actions", "&Next step"), "", "PgDown"},
    Row{"learn", "previous_step", QT_TRANSLATE_NOOP("Actions", "&Previous step"), "", "PgUp"},
    Row{"learn", "reset_step", QT_TRANSLATE_NOOP("Actions", "&Reset the step"), "", "Ctrl+R"},
    Row{"learn", "take_step", QT_TRANSLATE_NOOP("Actions", "Open in the &workspace")},
    Row{"learn", "", ""},
    Row{"learn", "present", QT_TRANSLATE_NOOP("Actions", "Presentation mo&de"), "", "F5", true},
    Row{"learn", "laser", QT_TRANSLATE_NOOP("Actions", "L&aser pointer"), "", "Ctrl+Shift+L", true},
    Row{"learn", "", ""},
    Row{"learn", "export_step", QT_TRANSLATE_NOOP("Actions", "&Export this step…"), "", "Ctrl+Shift+E"},
    Row{"learn", "export_handout", QT_TRANSLATE_NOOP("Actions", "Export the lesson as a &handout…")},
    Row{"learn", "", ""},
    Row{"learn", "leave_learn", QT_TRANSLATE_NOOP("Actions", "&Back to the workspace"), "", "Ctrl+W"},
    Row{"help", "tour", QT_TRANSLATE_NOOP("Actions", "&Five-minute tour"), "help", "F1"},
    Row{"help", "reference", QT_TRANSLATE_NOOP("Actions", "&Mechanisms, scales and masks"), "", "Shift+F1"},
    Row{"help", "shortcuts", QT_TRANSLATE_NOOP("Actions", "&Keyboard shortcuts"), "", "Ctrl+F1"},
    Row{"help", "", ""},
    Row{"help", "about", QT_TRANSLATE_NOOP("Actions", "&About AttnLab")},
};

} // namespace

Actions::Actions(QWidget* window) : QObject(window) {
    for (const auto& row : action_table) {
        const QString id = QString::fromLatin1(row.id);
        if (id.isEmpty() || row.submenu)
            continue;
        auto* action = new QAction(window);
        action->setObjectName(id);
        action->setShortcut(QKeySequence(QString::fromLatin1(row.shortcut)));
        action->setCheckable(row.checkable);
        if (*row.icon)
            action->setIcon(icon(QString::fromLatin1(row.icon)));
        window->addAction(action);
        actions_.insert(id, action);
    }
    qApp->installEventFilter(this);
}

bool Actions::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride)
        return false;
    const auto* field = qobject_cast<QWidget*>(watched);
    if (!field || field->window() != parent())
        return false;
    // Undo and redo are the field's while it has its own; a key alone moves in it.
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool command = key->modifiers() & (Qt::ControlModifier | Qt::AltModifier);
    if (!command || key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo))
        return false;
    const QKeySequence keys(key->keyCombination());
    for (const auto* action : actions_)
        if (action->isEnabled() && action->shortcut() == keys) {
            event->ignore();
            return true;
        }
    return false;
}

QAction* Actions::operator[](const QString& id) const {
    Q_ASSERT(actions_.contains(id));
    return actions_.value(id);
}

QMenu* Actions::submenu(const QString& id) const {
    Q_ASSERT(submenus_.contains(id));
    return submenus_.value(id);
}

void Actions::fill(QMenuBar* bar) {
    for (const auto& row : menu_table)
        menus_.insert(QString::fromLatin1(row.id), bar->addMenu(QString()));
    for (const auto& row : action_table) {
        auto* menu = menus_.value(QString::fromLatin1(row.menu));
        const QString id = QString::fromLatin1(row.id);
        if (id.isEmpty()) {
            menu->addSeparator();
        } else if (row.submenu) {
            auto* submenu = menu->addMenu(QString());
            if (*row.icon)
                submenu->setIcon(icon(QString::fromLatin1(row.icon)));
            submenu->setToolTipsVisible(true);
            submenus_.insert(id, submenu);
        } else {
            menu->addAction(actions_.value(id));
        }
    }
    retranslate();
}

void Actions::retranslate() {
    for (const auto& row : menu_table)
        if (auto* menu = menus_.value(QString::fromLatin1(row.id)))
            menu->setTitle(QCoreApplication::translate("Actions", row.text));
    for (const auto& row : action_table) {
        const auto text = QCoreApplication::translate("Actions", row.text);
        if (auto* action = actions_.value(QString::fromLatin1(row.id)))
            action->setText(text);
        if (auto* submenu = submenus_.value(QString::fromLatin1(row.id)))
            submenu->setTitle(text);
    }
}

} // namespace attnlab::ui
