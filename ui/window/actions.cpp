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

#include <algorithm>

namespace attnlab::ui {
namespace {

/// True where something typed can be undone, or done again, in the field itself.
bool hasStepsOfItsOwn(const QWidget& field, bool redo) {
    const auto* line = qobject_cast<const QLineEdit*>(&field);
    if (!line) // of a spin box or an editable list
        line = field.findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly);
    return line && (redo ? line->isRedoAvailable() : line->isUndoAvailable());
}

} // namespace

Actions::Actions(QMainWindow* window) : QObject(window), window_(*window) {
    fillFile(*addBarMenu(QT_TRANSLATE_NOOP("Actions", "&File")));
    fillEdit(*addBarMenu(QT_TRANSLATE_NOOP("Actions", "&Edit")));
    fillView(*addBarMenu(QT_TRANSLATE_NOOP("Actions", "&View")));
    fillAttention(*addBarMenu(QT_TRANSLATE_NOOP("Actions", "&Attention")));
    fillLearn(*addBarMenu(QT_TRANSLATE_NOOP("Actions", "&Learn")));
    fillHelp(*addBarMenu(QT_TRANSLATE_NOOP("Actions", "&Help")));
    qApp->installEventFilter(this);
}

QMenu* Actions::addBarMenu(const char* text) {
    menus_.push_back(window_.menuBar()->addMenu(QCoreApplication::translate("Actions", text)));
    return menus_.back();
}

QMenu* Actions::addMenu(QMenu& menu, const char* text, const char* icon_name) {
    auto* submenu = menu.addMenu(QCoreApplication::translate("Actions", text));
    if (*icon_name)
        submenu->setIcon(icon(QString::fromLatin1(icon_name)));
    submenu->setToolTipsVisible(true);
    return submenu;
}

QAction* Actions::add(QMenu& menu, const char* text, const char* shortcut, const char* icon_name) {
    auto* action = menu.addAction(QCoreApplication::translate("Actions", text));
    action->setData(withoutMnemonic(action->text()));
    action->setShortcut(QKeySequence(QString::fromLatin1(shortcut)));
    if (*icon_name)
        action->setIcon(icon(QString::fromLatin1(icon_name)));
    window_.addAction(action);
    commands_.push_back(action);
    return action;
}

void Actions::fillFile(QMenu& menu) {
    new_document = add(menu, QT_TRANSLATE_NOOP("Actions", "&New"), "Ctrl+N", "new");
    new_window = add(menu, QT_TRANSLATE_NOOP("Actions", "New &window"), "Ctrl+Shift+N");
    open = add(menu, QT_TRANSLATE_NOOP("Actions", "&Open…"), "Ctrl+O", "open");
    recent = addMenu(menu, QT_TRANSLATE_NOOP("Actions", "Open &recent"));
    reopen_last = add(menu, QT_TRANSLATE_NOOP("Actions", "Open the last &file at the start"));
    reopen_last->setCheckable(true);
    samples = addMenu(menu, QT_TRANSLATE_NOOP("Actions", "Sa&mples"));
    open_model = add(menu, QT_TRANSLATE_NOOP("Actions", "Open a mo&del…"), "Ctrl+Shift+O", "model");
    recent_models = addMenu(menu, QT_TRANSLATE_NOOP("Actions", "Recen&t models"));
    sample_model = add(menu, QT_TRANSLATE_NOOP("Actions", "Sample mode&l"));
    watch = add(menu, QT_TRANSLATE_NOOP("Actions", "Watc&h a file…"));
    watch->setCheckable(true);
    menu.addSeparator();
    save = add(menu, QT_TRANSLATE_NOOP("Actions", "&Save"), "Ctrl+S", "save");
    save_as = add(menu, QT_TRANSLATE_NOOP("Actions", "Save &as…"), "Ctrl+Shift+S");
    menu.addSeparator();
    export_shown = add(menu, QT_TRANSLATE_NOOP("Actions", "&Export…"), "Ctrl+E", "export");
    print = add(menu, QT_TRANSLATE_NOOP("Actions", "&Print…"), "Ctrl+P");
    menu.addSeparator();
    close_window = add(menu, QT_TRANSLATE_NOOP("Actions", "&Close window"), "Ctrl+Shift+W");
    quit = add(menu, QT_TRANSLATE_NOOP("Actions", "&Quit"), "Ctrl+Q");
}

void Actions::fillEdit(QMenu& menu) {
    undo = add(menu, QT_TRANSLATE_NOOP("Actions", "&Undo"), "Ctrl+Z", "undo");
    redo = add(menu, QT_TRANSLATE_NOOP("Actions", "&Redo"), "Ctrl+Shift+Z", "redo");
    undo_limit = add(menu, QT_TRANSLATE_NOOP("Actions", "Undo &limit…"));
    menu.addSeparator();
    copy_matrix = add(menu, QT_TRANSLATE_NOOP("Actions", "Copy &matrix"), "Ctrl+Shift+C", "copy");
    copy_picture = add(menu, QT_TRANSLATE_NOOP("Actions", "Copy &picture"), "Ctrl+Alt+C");
    copy_as = addMenu(menu, QT_TRANSLATE_NOOP("Actions", "Copy &as"));
}

void Actions::fillView(QMenu& menu) {
    zoom_in = add(menu, QT_TRANSLATE_NOOP("Actions", "Zoom &in"), "Ctrl++", "zoom-in");
    zoom_out = add(menu, QT_TRANSLATE_NOOP("Actions", "Zoom &out"), "Ctrl+-", "zoom-out");
    zoom_fit = add(menu, QT_TRANSLATE_NOOP("Actions", "&Fit to window"), "Ctrl+0", "zoom-fit");
    menu.addSeparator();
    panels = addMenu(menu, QT_TRANSLATE_NOOP("Actions", "&Panels"));
    divider = add(menu, QT_TRANSLATE_NOOP("Actions", "Move a &divider"), "F8");
    reset_layout = add(menu, QT_TRANSLATE_NOOP("Actions", "&Reset layout"));
    menu.addSeparator();
    show_model = add(menu, QT_TRANSLATE_NOOP("Actions", "&Model"), "Ctrl+J");
    large_inputs = add(menu, QT_TRANSLATE_NOOP("Actions", "Lar&ge inputs…"));
    theme = addMenu(menu, QT_TRANSLATE_NOOP("Actions", "&Theme"), "theme");
    language = addMenu(menu, QT_TRANSLATE_NOOP("Actions", "&Language"), "language");
    full_screen = add(menu, QT_TRANSLATE_NOOP("Actions", "F&ull screen"), "F11");
    full_screen->setCheckable(true);
}

void Actions::fillAttention(QMenu& menu) {
    next_stage = add(menu, QT_TRANSLATE_NOOP("Actions", "&Next stage"), "Alt+Right");
    previous_stage = add(menu, QT_TRANSLATE_NOOP("Actions", "&Previous stage"), "Alt+Left");
    next_head = add(menu, QT_TRANSLATE_NOOP("Actions", "Next &head"), "Alt+PgDown");
    previous_head = add(menu, QT_TRANSLATE_NOOP("Actions", "Pre&vious head"), "Alt+PgUp");
    mean_head = add(menu, QT_TRANSLATE_NOOP("Actions", "&Mean of heads"), "Ctrl+M", "mean");
    menu.addSeparator();
    compare = add(menu, QT_TRANSLATE_NOOP("Actions", "&Compare"), "Ctrl+D", "compare");
    compare_file = add(menu, QT_TRANSLATE_NOOP("Actions", "Compare &with a file…"));
    compare_setting = add(menu, QT_TRANSLATE_NOOP("Actions", "Setting &B from a file…"));
    paint = add(menu, QT_TRANSLATE_NOOP("Actions", "P&aint the mask"), "Ctrl+Shift+P", "paint");
    paint->setCheckable(true);
    clear_pin = add(menu, QT_TRANSLATE_NOOP("Actions", "&Unpin the cell"), "Ctrl+U", "pin");
    menu.addSeparator();
    key_grid = add(menu, QT_TRANSLATE_NOOP("Actions", "&Keys as a picture…"));
    compute = add(menu, QT_TRANSLATE_NOOP("Actions", "C&ompute what was cancelled"));
}

void Actions::fillLearn(QMenu& menu) {
    lessons = add(menu, QT_TRANSLATE_NOOP("Actions", "&Lessons"), "Ctrl+L");
    lesson_menu = addMenu(menu, QT_TRANSLATE_NOOP("Actions", "&Go to lesson"));
    scale_lab = add(menu, QT_TRANSLATE_NOOP("Actions", "&Scale lab"));
    mask_lab = add(menu, QT_TRANSLATE_NOOP("Actions", "&Mask lab"));
    open_lesson = add(menu, QT_TRANSLATE_NOOP("Actions", "&Open a lesson folder…"));
    open_lesson_file = add(menu, QT_TRANSLATE_NOOP("Actions", "Open a lesson or board &file…"));
    save_board = add(menu, QT_TRANSLATE_NOOP("Actions", "Sa&ve the board…"));
    menu.addSeparator();
    next_step = add(menu, QT_TRANSLATE_NOOP("Actions", "&Next step"), "PgDown");
    previous_step = add(menu, QT_TRANSLATE_NOOP("Actions", "&Previous step"), "PgUp");
    reset_step = add(menu, QT_TRANSLATE_NOOP("Actions", "&Reset the step"), "Ctrl+R");
    take_step = add(menu, QT_TRANSLATE_NOOP("Actions", "Open in the &workspace"));
    menu.addSeparator();
    present = add(menu, QT_TRANSLATE_NOOP("Actions", "Presentation mo&de"), "F5");
    present->setCheckable(true);
    laser = add(menu, QT_TRANSLATE_NOOP("Actions", "L&aser pointer"), "Ctrl+Shift+L");
    laser->setCheckable(true);
    menu.addSeparator();
    export_step = add(menu, QT_TRANSLATE_NOOP("Actions", "&Export this step…"), "Ctrl+Shift+E");
    export_handout = add(menu, QT_TRANSLATE_NOOP("Actions", "Export the lesson as a &handout…"));
    menu.addSeparator();
    leave_learn = add(menu, QT_TRANSLATE_NOOP("Actions", "&Back to the workspace"), "Ctrl+W");
}

void Actions::fillHelp(QMenu& menu) {
    tour = add(menu, QT_TRANSLATE_NOOP("Actions", "&Five-minute tour"), "F1", "help");
    reference = add(menu, QT_TRANSLATE_NOOP("Actions", "&Mechanisms, scales and masks"), "Shift+F1");
    shortcuts = add(menu, QT_TRANSLATE_NOOP("Actions", "&Keyboard shortcuts"), "Ctrl+F1");
    report = add(menu, QT_TRANSLATE_NOOP("Actions", "&Report a problem…"));
    menu.addSeparator();
    about = add(menu, QT_TRANSLATE_NOOP("Actions", "&About AttnLab"));
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
    const auto takes = [&keys](const QAction* action) { return action->isEnabled() && action->shortcut() == keys; };
    if (std::ranges::none_of(commands_, takes))
        return false;
    event->ignore();
    return true;
}

} // namespace attnlab::ui
