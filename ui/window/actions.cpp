#include "ui/window/actions.h"

#include "ui/widgets/icon.h"
#include "ui/widgets/text.h"

#include <QApplication>
#include <QKeyEvent>
#include <QKeySequence>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace attnlab::ui {
namespace {

enum class Menu { File, Edit, View, Attention, Learn, Help };

constexpr std::array menu_titles = {
    QT_TRANSLATE_NOOP("Actions", "&File"),  QT_TRANSLATE_NOOP("Actions", "&Edit"),
    QT_TRANSLATE_NOOP("Actions", "&View"),  QT_TRANSLATE_NOOP("Actions", "&Attention"),
    QT_TRANSLATE_NOOP("Actions", "&Learn"), QT_TRANSLATE_NOOP("Actions", "&Help"),
};

/// A command, a submenu or, with neither, a separator.
struct Row {
    Menu menu;
    QAction* Actions::*action = nullptr;
    QMenu* Actions::*submenu = nullptr;
    const char* text = ""; ///< with mnemonic
    const char* icon = "";
    const char* shortcut = "";
    bool checkable = false;
};

constexpr std::array action_table = {
    Row{.menu = Menu::File,
        .action = &Actions::new_document,
        .text = QT_TRANSLATE_NOOP("Actions", "&New"),
        .icon = "new",
        .shortcut = "Ctrl+N"},
    Row{.menu = Menu::File,
        .action = &Actions::new_window,
        .text = QT_TRANSLATE_NOOP("Actions", "New &window"),
        .shortcut = "Ctrl+Shift+N"},
    Row{.menu = Menu::File,
        .action = &Actions::open,
        .text = QT_TRANSLATE_NOOP("Actions", "&Open…"),
        .icon = "open",
        .shortcut = "Ctrl+O"},
    Row{.menu = Menu::File, .submenu = &Actions::recent, .text = QT_TRANSLATE_NOOP("Actions", "Open &recent")},
    Row{.menu = Menu::File,
        .action = &Actions::reopen_last,
        .text = QT_TRANSLATE_NOOP("Actions", "Open the last &file at the start"),
        .checkable = true},
    Row{.menu = Menu::File, .submenu = &Actions::samples, .text = QT_TRANSLATE_NOOP("Actions", "Sa&mples")},
    Row{.menu = Menu::File,
        .action = &Actions::open_model,
        .text = QT_TRANSLATE_NOOP("Actions", "Open a mo&del…"),
        .icon = "model",
        .shortcut = "Ctrl+Shift+O"},
    Row{.menu = Menu::File, .submenu = &Actions::recent_models, .text = QT_TRANSLATE_NOOP("Actions", "Recen&t models")},
    Row{.menu = Menu::File, .action = &Actions::sample_model, .text = QT_TRANSLATE_NOOP("Actions", "Sample mode&l")},
    Row{.menu = Menu::File,
        .action = &Actions::watch,
        .text = QT_TRANSLATE_NOOP("Actions", "Watc&h a file…"),
        .checkable = true},
    Row{Menu::File},
    Row{.menu = Menu::File,
        .action = &Actions::save,
        .text = QT_TRANSLATE_NOOP("Actions", "&Save"),
        .icon = "save",
        .shortcut = "Ctrl+S"},
    Row{.menu = Menu::File,
        .action = &Actions::save_as,
        .text = QT_TRANSLATE_NOOP("Actions", "Save &as…"),
        .shortcut = "Ctrl+Shift+S"},
    Row{Menu::File},
    Row{.menu = Menu::File,
        .action = &Actions::export_shown,
        .text = QT_TRANSLATE_NOOP("Actions", "&Export…"),
        .icon = "export",
        .shortcut = "Ctrl+E"},
    Row{.menu = Menu::File,
        .action = &Actions::print,
        .text = QT_TRANSLATE_NOOP("Actions", "&Print…"),
        .shortcut = "Ctrl+P"},
    Row{Menu::File},
    Row{.menu = Menu::File,
        .action = &Actions::close_window,
        .text = QT_TRANSLATE_NOOP("Actions", "&Close window"),
        .shortcut = "Ctrl+Shift+W"},
    Row{.menu = Menu::File,
        .action = &Actions::quit,
        .text = QT_TRANSLATE_NOOP("Actions", "&Quit"),
        .shortcut = "Ctrl+Q"},
    Row{.menu = Menu::Edit,
        .action = &Actions::undo,
        .text = QT_TRANSLATE_NOOP("Actions", "&Undo"),
        .icon = "undo",
        .shortcut = "Ctrl+Z"},
    Row{.menu = Menu::Edit,
        .action = &Actions::redo,
        .text = QT_TRANSLATE_NOOP("Actions", "&Redo"),
        .icon = "redo",
        .shortcut = "Ctrl+Shift+Z"},
    Row{Menu::Edit},
    Row{.menu = Menu::Edit,
        .action = &Actions::copy_matrix,
        .text = QT_TRANSLATE_NOOP("Actions", "Copy &matrix"),
        .icon = "copy",
        .shortcut = "Ctrl+Shift+C"},
    Row{.menu = Menu::Edit,
        .action = &Actions::copy_picture,
        .text = QT_TRANSLATE_NOOP("Actions", "Copy &picture"),
        .shortcut = "Ctrl+Alt+C"},
    Row{.menu = Menu::Edit, .submenu = &Actions::copy_as, .text = QT_TRANSLATE_NOOP("Actions", "Copy &as")},
    Row{.menu = Menu::View,
        .action = &Actions::zoom_in,
        .text = QT_TRANSLATE_NOOP("Actions", "Zoom &in"),
        .icon = "zoom-in",
        .shortcut = "Ctrl++"},
    Row{.menu = Menu::View,
        .action = &Actions::zoom_out,
        .text = QT_TRANSLATE_NOOP("Actions", "Zoom &out"),
        .icon = "zoom-out",
        .shortcut = "Ctrl+-"},
    Row{.menu = Menu::View,
        .action = &Actions::zoom_fit,
        .text = QT_TRANSLATE_NOOP("Actions", "&Fit to window"),
        .icon = "zoom-fit",
        .shortcut = "Ctrl+0"},
    Row{Menu::View},
    Row{.menu = Menu::View, .submenu = &Actions::panels, .text = QT_TRANSLATE_NOOP("Actions", "&Panels")},
    Row{.menu = Menu::View,
        .action = &Actions::divider,
        .text = QT_TRANSLATE_NOOP("Actions", "Move a &divider"),
        .shortcut = "F8"},
    Row{.menu = Menu::View, .action = &Actions::reset_layout, .text = QT_TRANSLATE_NOOP("Actions", "&Reset layout")},
    Row{Menu::View},
    Row{.menu = Menu::View,
        .action = &Actions::show_model,
        .text = QT_TRANSLATE_NOOP("Actions", "&Model"),
        .shortcut = "Ctrl+J"},
    Row{.menu = Menu::View, .action = &Actions::large_inputs, .text = QT_TRANSLATE_NOOP("Actions", "Lar&ge inputs…")},
    Row{.menu = Menu::View,
        .submenu = &Actions::theme,
        .text = QT_TRANSLATE_NOOP("Actions", "&Theme"),
        .icon = "theme"},
    Row{.menu = Menu::View,
        .submenu = &Actions::language,
        .text = QT_TRANSLATE_NOOP("Actions", "&Language"),
        .icon = "language"},
    Row{.menu = Menu::View,
        .action = &Actions::full_screen,
        .text = QT_TRANSLATE_NOOP("Actions", "F&ull screen"),
        .shortcut = "F11",
        .checkable = true},
    Row{.menu = Menu::Attention,
        .action = &Actions::next_stage,
        .text = QT_TRANSLATE_NOOP("Actions", "&Next stage"),
        .shortcut = "Alt+Right"},
    Row{.menu = Menu::Attention,
        .action = &Actions::previous_stage,
        .text = QT_TRANSLATE_NOOP("Actions", "&Previous stage"),
        .shortcut = "Alt+Left"},
    Row{.menu = Menu::Attention,
        .action = &Actions::next_head,
        .text = QT_TRANSLATE_NOOP("Actions", "Next &head"),
        .shortcut = "Alt+PgDown"},
    Row{.menu = Menu::Attention,
        .action = &Actions::previous_head,
        .text = QT_TRANSLATE_NOOP("Actions", "Pre&vious head"),
        .shortcut = "Alt+PgUp"},
    Row{.menu = Menu::Attention,
        .action = &Actions::mean_head,
        .text = QT_TRANSLATE_NOOP("Actions", "&Mean of heads"),
        .icon = "mean",
        .shortcut = "Ctrl+M"},
    Row{Menu::Attention},
    Row{.menu = Menu::Attention,
        .action = &Actions::compare,
        .text = QT_TRANSLATE_NOOP("Actions", "&Compare"),
        .icon = "compare",
        .shortcut = "Ctrl+D"},
    Row{.menu = Menu::Attention,
        .action = &Actions::compare_file,
        .text = QT_TRANSLATE_NOOP("Actions", "Compare &with a file…")},
    Row{.menu = Menu::Attention,
        .action = &Actions::compare_setting,
        .text = QT_TRANSLATE_NOOP("Actions", "Setting &B from a file…")},
    Row{.menu = Menu::Attention,
        .action = &Actions::paint,
        .text = QT_TRANSLATE_NOOP("Actions", "P&aint the mask"),
        .icon = "paint",
        .shortcut = "Ctrl+Shift+P",
        .checkable = true},
    Row{.menu = Menu::Attention,
        .action = &Actions::clear_pin,
        .text = QT_TRANSLATE_NOOP("Actions", "&Unpin the cell"),
        .icon = "pin",
        .shortcut = "Ctrl+U"},
    Row{Menu::Attention},
    Row{.menu = Menu::Attention,
        .action = &Actions::key_grid,
        .text = QT_TRANSLATE_NOOP("Actions", "&Keys as a picture…")},
    Row{.menu = Menu::Attention,
        .action = &Actions::compute,
        .text = QT_TRANSLATE_NOOP("Actions", "C&ompute what was cancelled")},
    Row{.menu = Menu::Learn,
        .action = &Actions::lessons,
        .text = QT_TRANSLATE_NOOP("Actions", "&Lessons"),
        .shortcut = "Ctrl+L"},
    Row{.menu = Menu::Learn, .submenu = &Actions::lesson_menu, .text = QT_TRANSLATE_NOOP("Actions", "&Go to lesson")},
    Row{.menu = Menu::Learn, .action = &Actions::scale_lab, .text = QT_TRANSLATE_NOOP("Actions", "&Scale lab")},
    Row{.menu = Menu::Learn, .action = &Actions::mask_lab, .text = QT_TRANSLATE_NOOP("Actions", "&Mask lab")},
    Row{.menu = Menu::Learn,
        .action = &Actions::open_lesson,
        .text = QT_TRANSLATE_NOOP("Actions", "&Open a lesson folder…")},
    Row{.menu = Menu::Learn,
        .action = &Actions::open_lesson_file,
        .text = QT_TRANSLATE_NOOP("Actions", "Open a lesson or board &file…")},
    Row{.menu = Menu::Learn, .action = &Actions::save_board, .text = QT_TRANSLATE_NOOP("Actions", "Sa&ve the board…")},
    Row{Menu::Learn},
    Row{.menu = Menu::Learn,
        .action = &Actions::next_step,
        .text = QT_TRANSLATE_NOOP("Actions", "&Next step"),
        .shortcut = "PgDown"},
    Row{.menu = Menu::Learn,
        .action = &Actions::previous_step,
        .text = QT_TRANSLATE_NOOP("Actions", "&Previous step"),
        .shortcut = "PgUp"},
    Row{.menu = Menu::Learn,
        .action = &Actions::reset_step,
        .text = QT_TRANSLATE_NOOP("Actions", "&Reset the step"),
        .shortcut = "Ctrl+R"},
    Row{.menu = Menu::Learn,
        .action = &Actions::take_step,
        .text = QT_TRANSLATE_NOOP("Actions", "Open in the &workspace")},
    Row{Menu::Learn},
    Row{.menu = Menu::Learn,
        .action = &Actions::present,
        .text = QT_TRANSLATE_NOOP("Actions", "Presentation mo&de"),
        .shortcut = "F5",
        .checkable = true},
    Row{.menu = Menu::Learn,
        .action = &Actions::laser,
        .text = QT_TRANSLATE_NOOP("Actions", "L&aser pointer"),
        .shortcut = "Ctrl+Shift+L",
        .checkable = true},
    Row{Menu::Learn},
    Row{.menu = Menu::Learn,
        .action = &Actions::export_step,
        .text = QT_TRANSLATE_NOOP("Actions", "&Export this step…"),
        .shortcut = "Ctrl+Shift+E"},
    Row{.menu = Menu::Learn,
        .action = &Actions::export_handout,
        .text = QT_TRANSLATE_NOOP("Actions", "Export the lesson as a &handout…")},
    Row{Menu::Learn},
    Row{.menu = Menu::Learn,
        .action = &Actions::leave_learn,
        .text = QT_TRANSLATE_NOOP("Actions", "&Back to the workspace"),
        .shortcut = "Ctrl+W"},
    Row{.menu = Menu::Help,
        .action = &Actions::tour,
        .text = QT_TRANSLATE_NOOP("Actions", "&Five-minute tour"),
        .icon = "help",
        .shortcut = "F1"},
    Row{.menu = Menu::Help,
        .action = &Actions::reference,
        .text = QT_TRANSLATE_NOOP("Actions", "&Mechanisms, scales and masks"),
        .shortcut = "Shift+F1"},
    Row{.menu = Menu::Help,
        .action = &Actions::shortcuts,
        .text = QT_TRANSLATE_NOOP("Actions", "&Keyboard shortcuts"),
        .shortcut = "Ctrl+F1"},
    Row{.menu = Menu::Help, .action = &Actions::report, .text = QT_TRANSLATE_NOOP("Actions", "&Report a problem…")},
    Row{Menu::Help},
    Row{.menu = Menu::Help, .action = &Actions::about, .text = QT_TRANSLATE_NOOP("Actions", "&About AttnLab")},
};

/// True where something typed can be undone, or done again, in the field itself.
bool hasStepsOfItsOwn(const QWidget& field, bool redo) {
    const auto* line = qobject_cast<const QLineEdit*>(&field);
    if (!line) // of a spin box or an editable list
        line = field.findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly);
    return line && (redo ? line->isRedoAvailable() : line->isUndoAvailable());
}

} // namespace

Actions::Actions(QMainWindow* window) : QObject(window) {
    for (std::size_t i = 0; i < menus_.size(); ++i)
        menus_[i] = window->menuBar()->addMenu(QCoreApplication::translate("Actions", menu_titles[i]));
    for (const Row& row : action_table) {
        auto* menu = menus_[static_cast<std::size_t>(row.menu)];
        const auto text = QCoreApplication::translate("Actions", row.text);
        if (row.action) {
            auto* action = menu->addAction(text);
            action->setData(withoutMnemonic(text));
            action->setShortcut(QKeySequence(QString::fromLatin1(row.shortcut)));
            action->setCheckable(row.checkable);
            if (*row.icon)
                action->setIcon(icon(QString::fromLatin1(row.icon)));
            window->addAction(action);
            this->*row.action = action;
        } else if (row.submenu) {
            auto* submenu = menu->addMenu(text);
            if (*row.icon)
                submenu->setIcon(icon(QString::fromLatin1(row.icon)));
            submenu->setToolTipsVisible(true);
            this->*row.submenu = submenu;
        } else {
            menu->addSeparator();
        }
    }
    qApp->installEventFilter(this);
}

Actions::~Actions() { qDeleteAll(menus_); }

bool Actions::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride)
        return false;
    const auto* field = qobject_cast<QWidget*>(watched);
    if (!field || field->window() != parent())
        return false;
    // Plain keys move the cursor in fields, which undo what is typed in them.
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool command = key->modifiers() & (Qt::ControlModifier | Qt::AltModifier);
    const bool redo_key = key->matches(QKeySequence::Redo);
    if (!command || ((redo_key || key->matches(QKeySequence::Undo)) && hasStepsOfItsOwn(*field, redo_key)))
        return false;
    const QKeySequence keys(key->keyCombination());
    for (const Row& row : action_table)
        if (row.action && (this->*row.action)->isEnabled() && (this->*row.action)->shortcut() == keys) {
            event->ignore();
            return true;
        }
    return false;
}

} // namespace attnlab::ui
