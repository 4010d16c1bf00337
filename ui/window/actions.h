// Every command of the window, declared once for menus, buttons and shortcuts; and the menus.
#pragma once

#include "core/code/code.h"

#include <optional>
#include <QAction>
#include <QList>
#include <QMenu>
#include <QObject>
#include <vector>

class QMainWindow;
class QMenu;
class QUndoGroup;

namespace attnlab::ui {

/// The data of an action is its text at first, without a mnemonic, for ShortcutsDialog.
class Actions : public QObject {
    Q_OBJECT
public:
    /// Fills the menu bar. Actions are added to `window`, so that their shortcuts work everywhere in it.
    explicit Actions(QMainWindow* window);
    /// Deletes the menus and actions.
    ~Actions() override;

    /// The English text of an action or a menu, without a mnemonic; empty for one that names a file or a panel.
    static QString sourceOf(const QAction& action);

    /// Hides the menus of the menu bar without a visible entry, and shows the others.
    void hideEmptyMenus();

    QAction* new_document = nullptr;
    QAction* new_window = nullptr;
    QAction* open = nullptr;
    QAction* save = nullptr;
    QAction* save_as = nullptr;
    QAction* export_shown = nullptr;
    QAction* print = nullptr;
    QAction* close_window = nullptr;
    QAction* quit = nullptr;
    QMenu* recent = nullptr; ///< filled by Menus
    QAction* samples = nullptr;
    QAction* open_model = nullptr;
    QMenu* recent_models = nullptr; ///< filled by Menus
    QAction* sample_model = nullptr;
    QAction* watch = nullptr;

    QAction* undo = nullptr;
    QAction* redo = nullptr;
    QUndoGroup* steps = nullptr; ///< Undo and Redo act on its active stack, that of the page on show
    QAction* copy_matrix = nullptr;
    QAction* copy_picture = nullptr;
    QMenu* copy_as = nullptr; ///< filled by CopyAs
    QAction* preferences = nullptr;

    QAction* zoom_in = nullptr;
    QAction* zoom_out = nullptr;
    QAction* zoom_fit = nullptr;
    QAction* reset_layout = nullptr;
    QAction* divider = nullptr;
    QAction* full_screen = nullptr;
    QMenu* panels = nullptr;   ///< filled by Menus
    QMenu* theme = nullptr;    ///< filled by Menus
    QMenu* language = nullptr; ///< filled by Menus

    // The places of the window; Places switches between them.
    QAction* go_workspace = nullptr;
    QAction* go_model = nullptr;
    QAction* go_lessons = nullptr;
    QAction* go_map = nullptr; ///< while the document is shown as a map
    QAction* find_anything = nullptr;
    QAction* next_page = nullptr;
    QAction* previous_page = nullptr;

    QAction* next_stage = nullptr;
    QAction* previous_stage = nullptr;
    QAction* next_head = nullptr;
    QAction* previous_head = nullptr;
    QAction* mean_head = nullptr;
    QAction* compare = nullptr;
    QAction* compare_file = nullptr;
    QAction* compare_setting = nullptr;
    QAction* check_answer = nullptr;
    QAction* paint = nullptr;
    QAction* clear_pin = nullptr;
    QAction* key_grid = nullptr;
    QAction* compute = nullptr;

    QAction* lessons = nullptr;
    QAction* scale_lab = nullptr;
    QAction* mask_lab = nullptr;
    QAction* open_lesson = nullptr;
    QAction* open_lesson_file = nullptr;
    QAction* save_board = nullptr;
    QAction* make_step = nullptr;
    QAction* write_lesson = nullptr;
    QAction* edit_lesson = nullptr;
    QAction* next_step = nullptr;
    QAction* previous_step = nullptr;
    QAction* reset_step = nullptr;
    QAction* take_step = nullptr;
    QAction* present = nullptr;
    QAction* laser = nullptr;
    QAction* presenter_view = nullptr;
    QAction* jump = nullptr;
    QAction* blank = nullptr;
    QAction* export_step = nullptr;
    QAction* export_handout = nullptr;
    QMenu* lesson_menu = nullptr; ///< filled by the learn mode

    QAction* tour = nullptr;
    QAction* reference = nullptr;
    QAction* shortcuts = nullptr;
    QAction* report = nullptr;
    QAction* about = nullptr;

protected:
    /// Fields reserve some keys that are commands here, such as Ctrl+E for the end of the line.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // Texts have their mnemonic, and are marked by QT_TRANSLATE_NOOP("Actions", ...).
    QMenu* addBarMenu(const char* text);
    QMenu* addMenu(QMenu& menu, const char* text, const char* icon_name = "");
    QAction* add(QMenu& menu, const char* text, const char* shortcut = "", const char* icon_name = "");
    void fillFile(QMenu& menu);
    void fillEdit(QMenu& menu);
    void fillView(QMenu& menu);
    void fillGo(QMenu& menu);
    void fillAttention(QMenu& menu);
    void fillLearn(QMenu& menu);
    void fillHelp(QMenu& menu);

    QMainWindow& window_;
    std::vector<QMenu*> menus_; ///< of the menu bar
    std::vector<QAction*> commands_;
};

} // namespace attnlab::ui

// The menus whose entries are not commands: recent files, samples, panels, themes, languages.

class QAction;

namespace attnlab::ui {

class FileController;

class Menus : public QObject {
    Q_OBJECT
public:
    /// Everything must outlive this object.
    /// The actions that show panels, and the menus of their places, are in "Panels".
    Menus(Actions& actions, FileController& files, const QList<QAction*>& panels, const QList<QAction*>& places,
          QObject* parent);

    void fill();

signals:
    /// A recent model.
    void modelChosen(const QString& path);

private:
    void fillRecent();
    void fillRecentModels();
    void fillLooks();
    void fillLanguages();

    Actions& actions_;
    FileController& files_;
    QList<QAction*> panels_, places_;
};

class Document;
class FileController;
class MessageBar;

/// The menu "Copy as": the document's setting as code of other languages.
/// Fills a menu with a command for each language. Those without code for the document are disabled while the menu is
/// open, with the reason as their tool tip and status tip.
class CopyAs : public QObject {
    Q_OBJECT
public:
    /// Everything must outlive this object.
    CopyAs(QMenu& menu, Document& document, FileController& files, MessageBar& messages, QObject* parent);

    void copy(code::Language language);

private:
    using Reasons = std::vector<std::optional<Message>>; ///< in the order of code::languages()
    const Reasons& reasons();
    void showReasons();

    QMenu& menu_;
    Document& document_;
    FileController& files_;
    MessageBar& messages_;
    std::optional<Reasons> reasons_; ///< of the present document
};

} // namespace attnlab::ui
