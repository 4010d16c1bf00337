#include "ui/window/actions.h"

#include "ui/document/document.h"
#include "ui/document/file_controller.h"
#include "ui/document/local_files.h"
#include "ui/document/settings.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/number_controls.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/typed_text.h"

#include <algorithm>
#include <functional>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QKeySequence>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QUndoGroup>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr const char* source_property = "source";

void keepSource(QAction& action, const char* text) {
    action.setProperty(source_property, withoutMnemonic(QString::fromUtf8(text)));
}

/// The line of a field in which something typed can be undone, or done again, there; null: it has no such step.
QLineEdit* lineWithSteps(QWidget& field, bool redo) {
    auto* line = qobject_cast<QLineEdit*>(&field);
    if (!line) // of a spin box or an editable list
        line = field.findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly);
    if (!line || qobject_cast<SteplessLine*>(line))
        return nullptr;
    return (redo ? line->isRedoAvailable() : line->isUndoAvailable()) ? line : nullptr;
}

} // namespace

Actions::Actions(QMainWindow* window) : QObject(window), window_(*window) {
    fillFile(*addBarMenu(QT_TRANSLATE_NOOP("Actions", "&File")));
    fillEdit(*addBarMenu(QT_TRANSLATE_NOOP("Actions", "&Edit")));
    fillView(*addBarMenu(QT_TRANSLATE_NOOP("Actions", "&View")));
    fillGo(*addBarMenu(QT_TRANSLATE_NOOP("Actions", "&Go")));
    fillAttention(*addBarMenu(QT_TRANSLATE_NOOP("Actions", "&Attention")));
    fillLearn(*addBarMenu(QT_TRANSLATE_NOOP("Actions", "&Learn")));
    fillHelp(*addBarMenu(QT_TRANSLATE_NOOP("Actions", "&Help")));
    qApp->installEventFilter(this);
}

QString Actions::sourceOf(const QAction& action) { return action.property(source_property).toString(); }

QMenu* Actions::addBarMenu(const char* text) {
    menus_.push_back(window_.menuBar()->addMenu(QCoreApplication::translate("Actions", text)));
    keepSource(*menus_.back()->menuAction(), text);
    return menus_.back();
}

QMenu* Actions::addMenu(QMenu& menu, const char* text, const char* icon_name) {
    auto* submenu = menu.addMenu(QCoreApplication::translate("Actions", text));
    keepSource(*submenu->menuAction(), text);
    if (*icon_name)
        submenu->setIcon(icon(QString::fromLatin1(icon_name)));
    submenu->setToolTipsVisible(true);
    return submenu;
}

QAction* Actions::add(QMenu& menu, const char* text, const char* shortcut, const char* icon_name) {
    auto* action = menu.addAction(QCoreApplication::translate("Actions", text));
    action->setData(withoutMnemonic(action->text()));
    keepSource(*action, text);
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
    samples = add(menu, QT_TRANSLATE_NOOP("Actions", "Sa&mples…"));
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
    redo->setShortcuts({redo->shortcut(), QKeySequence(QStringLiteral("Ctrl+Y"))});
    steps = new QUndoGroup(this);
    menu.addSeparator();
    copy_matrix = add(menu, QT_TRANSLATE_NOOP("Actions", "Copy &matrix"), "Ctrl+Shift+C", "copy");
    copy_picture = add(menu, QT_TRANSLATE_NOOP("Actions", "Copy &picture"), "Ctrl+Alt+C");
    copy_as = addMenu(menu, QT_TRANSLATE_NOOP("Actions", "Copy &as"));
    menu.addSeparator();
    preferences = add(menu, QT_TRANSLATE_NOOP("Actions", "Pr&eferences…"), "Ctrl+,");
    preferences->setMenuRole(QAction::PreferencesRole);
}

void Actions::fillView(QMenu& menu) {
    zoom_in = add(menu, QT_TRANSLATE_NOOP("Actions", "Zoom &in"), "Ctrl++", "zoom-in");
    zoom_out = add(menu, QT_TRANSLATE_NOOP("Actions", "Zoom &out"), "Ctrl+-", "zoom-out");
    zoom_fit = add(menu, QT_TRANSLATE_NOOP("Actions", "&Fit to window"), "Ctrl+0", "zoom-fit");
    menu.addSeparator();
    panels = addMenu(menu, QT_TRANSLATE_NOOP("Actions", "&Panels"));
    divider = add(menu, QT_TRANSLATE_NOOP("Actions", "Resize panels with the key&board"), "F8");
    reset_layout = add(menu, QT_TRANSLATE_NOOP("Actions", "&Reset layout"));
    menu.addSeparator();
    theme = addMenu(menu, QT_TRANSLATE_NOOP("Actions", "&Theme"), "theme");
    language = addMenu(menu, QT_TRANSLATE_NOOP("Actions", "&Language"), "language");
    full_screen = add(menu, QT_TRANSLATE_NOOP("Actions", "F&ull screen"), "F11");
    full_screen->setCheckable(true);
}

void Actions::fillGo(QMenu& menu) {
    auto* places = new QActionGroup(this);
    const auto place = [&](const char* text, const char* icon_name, const QList<QKeySequence>& keys) {
        auto* action = places->addAction(add(menu, text, "", icon_name));
        action->setCheckable(true);
        action->setShortcuts(keys);
        return action;
    };
    const auto keys = [](auto... key) { return QList<QKeySequence>{QKeySequence(QString::fromLatin1(key))...}; };
    go_workspace = place(QT_TRANSLATE_NOOP("Actions", "&Workspace"), "workspace", keys("Ctrl+1", "Ctrl+W"));
    go_model = place(QT_TRANSLATE_NOOP("Actions", "&Model"), "model", keys("Ctrl+2", "Ctrl+J"));
    go_lessons = place(QT_TRANSLATE_NOOP("Actions", "&Lessons"), "learn", keys("Ctrl+3"));
    go_map = place(QT_TRANSLATE_NOOP("Actions", "M&ap"), "map", keys("Ctrl+4"));
    go_map->setVisible(false);
    menu.addSeparator();
    find_anything = add(menu, QT_TRANSLATE_NOOP("Actions", "&Find anything…"), "Ctrl+K", "search");
    menu.addSeparator();
    next_page = add(menu, QT_TRANSLATE_NOOP("Actions", "Next pag&e"), "Ctrl+Tab");
    previous_page = add(menu, QT_TRANSLATE_NOOP("Actions", "Previous page"), "Ctrl+Shift+Tab");
    next_stage = add(menu, QT_TRANSLATE_NOOP("Actions", "&Next stage"), "Alt+Right");
    previous_stage = add(menu, QT_TRANSLATE_NOOP("Actions", "&Previous stage"), "Alt+Left");
    next_head = add(menu, QT_TRANSLATE_NOOP("Actions", "Next &head"), "Alt+PgDown");
    previous_head = add(menu, QT_TRANSLATE_NOOP("Actions", "Pre&vious head"), "Alt+PgUp");
    mean_head = add(menu, QT_TRANSLATE_NOOP("Actions", "Avera&ge of all heads"), "Ctrl+M", "mean");
}

void Actions::fillAttention(QMenu& menu) {
    compare = add(menu, QT_TRANSLATE_NOOP("Actions", "&Compare"), "Ctrl+D", "compare");
    compare_file = add(menu, QT_TRANSLATE_NOOP("Actions", "Compare &with a file…"));
    compare_setting = add(menu, QT_TRANSLATE_NOOP("Actions", "Compare with saved &settings…"));
    check_answer = add(menu, QT_TRANSLATE_NOOP("Actions", "Check &my answer…"));
    paint = add(menu, QT_TRANSLATE_NOOP("Actions", "P&aint the mask"), "Ctrl+Shift+P", "paint");
    paint->setCheckable(true);
    clear_pin = add(menu, QT_TRANSLATE_NOOP("Actions", "Clear the chosen ce&ll"), "Ctrl+U", "pin");
    menu.addSeparator();
    key_grid = add(menu, QT_TRANSLATE_NOOP("Actions", "Arrange the &keys as an image…"));
    compute = add(menu, QT_TRANSLATE_NOOP("Actions", "C&ontinue the cancelled computation"));
}

void Actions::fillLearn(QMenu& menu) {
    lessons = add(menu, QT_TRANSLATE_NOOP("Actions", "&List of lessons"), "Ctrl+L");
    lesson_menu = addMenu(menu, QT_TRANSLATE_NOOP("Actions", "&Go to lesson"));
    scale_lab = add(menu, QT_TRANSLATE_NOOP("Actions", "&Scale lab"));
    mask_lab = add(menu, QT_TRANSLATE_NOOP("Actions", "&Mask lab"));
    open_lesson = add(menu, QT_TRANSLATE_NOOP("Actions", "&Open a lesson folder…"));
    open_lesson_file = add(menu, QT_TRANSLATE_NOOP("Actions", "Open a lesson or lab &file…"));
    save_board = add(menu, QT_TRANSLATE_NOOP("Actions", "Sa&ve this lab…"));
    menu.addSeparator();
    make_step = add(menu, QT_TRANSLATE_NOOP("Actions", "Ma&ke this a step"), "Ctrl+Shift+M");
    write_lesson = add(menu, QT_TRANSLATE_NOOP("Actions", "Wr&ite a lesson"));
    edit_lesson = add(menu, QT_TRANSLATE_NOOP("Actions", "Edi&t this lesson"));
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
    presenter_view = add(menu, QT_TRANSLATE_NOOP("Actions", "Presenter view"), "F6");
    presenter_view->setCheckable(true);
    jump = add(menu, QT_TRANSLATE_NOOP("Actions", "&Jump to a step or lab…"), "J");
    blank = add(menu, QT_TRANSLATE_NOOP("Actions", "Bla&ck screen"), "B");
    menu.addSeparator();
    export_step = add(menu, QT_TRANSLATE_NOOP("Actions", "&Export this step…"), "Ctrl+Shift+E");
    export_handout = add(menu, QT_TRANSLATE_NOOP("Actions", "Export the lesson as a &handout…"));
}

void Actions::fillHelp(QMenu& menu) {
    tour = add(menu, QT_TRANSLATE_NOOP("Actions", "&Tour"), "F1", "help");
    reference = add(menu, QT_TRANSLATE_NOOP("Actions", "&Mechanisms, scales and masks"), "Shift+F1");
    shortcuts = add(menu, QT_TRANSLATE_NOOP("Actions", "&Keyboard shortcuts"), "");
    shortcuts->setShortcuts({QKeySequence(QStringLiteral("Ctrl+F1")), QKeySequence(QStringLiteral("?"))});
    report = add(menu, QT_TRANSLATE_NOOP("Actions", "&Report a problem…"));
    menu.addSeparator();
    about = add(menu, QT_TRANSLATE_NOOP("Actions", "&About AttnLab"));
}

Actions::~Actions() { qDeleteAll(menus_); }

void Actions::hideEmptyMenus() {
    for (const QMenu* menu : menus_)
        menu->menuAction()->setVisible(std::ranges::any_of(
            menu->actions(), [](const QAction* entry) { return entry->isVisible() && !entry->isSeparator(); }));
}

bool Actions::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
        return false;
    auto* field = qobject_cast<QWidget*>(watched);
    if (!field || field->window() != parent())
        return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool redo_key = isRedo(*key), undo_key = key->matches(QKeySequence::Undo);
    auto* line = redo_key || undo_key ? lineWithSteps(*field, redo_key) : nullptr;
    const bool is_extra_key = redo_key && !key->matches(QKeySequence::Redo); // the line does not have it
    if (event->type() == QEvent::KeyPress) {
        if (line && is_extra_key)
            line->redo();
        return line && is_extra_key;
    }
    // Plain keys move the cursor in fields, which undo what is typed in them.
    if (line && is_extra_key) {
        event->accept();
        return true;
    }
    if (qobject_cast<const LogSlider*>(field) && LogSlider::isStep(*key))
        return false;
    const bool command = key->modifiers() & (Qt::ControlModifier | Qt::AltModifier);
    if (!command || line)
        return false;
    const QKeySequence keys(key->keyCombination());
    const auto takes = [&keys](const QAction* action) {
        return action->isEnabled() && action->shortcuts().contains(keys);
    };
    if (std::ranges::none_of(commands_, takes))
        return false;
    event->ignore();
    return true;
}

namespace {

struct MenuChoice {
    const char* source; ///< of its text
    QString text;
    bool checked;
};

/// Fills a menu with entries of which one is checked.
void fillChoices(QMenu* menu, const QList<MenuChoice>& choices, const std::function<void(int)>& choose) {
    menu->clear();
    delete menu->findChild<QActionGroup*>();
    auto* group = new QActionGroup(menu);
    for (int i = 0; i < choices.size(); ++i) {
        auto* action = group->addAction(menu->addAction(choices[i].text));
        keepSource(*action, choices[i].source);
        action->setCheckable(true);
        action->setChecked(choices[i].checked);
        QObject::connect(action, &QAction::triggered, menu, [choose, i] { choose(i); });
    }
}

} // namespace

Menus::Menus(Actions& actions, FileController& files, const QList<QAction*>& panels, const QList<QAction*>& places,
             QObject* parent)
    : QObject(parent), actions_(actions), files_(files), panels_(panels), places_(places) {
    connect(&files_, &FileController::recentFilesChanged, this, &Menus::fill);
    // Other windows change files and looks too.
    connect(actions_.recent, &QMenu::aboutToShow, this, &Menus::fillRecent);
    connect(actions_.recent_models, &QMenu::aboutToShow, this, &Menus::fillRecentModels);
    connect(actions_.theme, &QMenu::aboutToShow, this, &Menus::fillLooks);
    fill();
}

void Menus::fill() {
    fillRecent();
    fillRecentModels();
    actions_.panels->clear();
    actions_.panels->addActions(panels_);
    actions_.panels->addSeparator();
    actions_.panels->addActions(places_);
    fillLooks();
    fillLanguages();
}

void Menus::fillRecent() {
    auto* recent = actions_.recent;
    recent->clear();
    for (const auto& path : settings::recentFiles())
        recent->addAction(menuText(displayName(path)), this, [this, path] { files_.open({path}); });
    if (recent->isEmpty()) {
        recent->addAction(tr("No files yet"))->setEnabled(false);
        return;
    }
    recent->addSeparator();
    recent->addAction(tr("Clear this list"), this, [this] {
        settings::clearRecentFiles();
        fill();
    });
}

void Menus::fillRecentModels() {
    auto* recent = actions_.recent_models;
    recent->clear();
    for (const auto& path : settings::recentModels())
        recent->addAction(menuText(displayName(path)), this, [this, path] { emit modelChosen(path); });
    if (recent->isEmpty()) {
        recent->addAction(tr("No models yet"))->setEnabled(false);
        return;
    }
    recent->addSeparator();
    recent->addAction(tr("Clear this list"), this, [this] {
        settings::clearRecentModels();
        fill();
    });
}

void Menus::fillLooks() {
    const auto now = settings::themeChoice();
    const auto look = [now](const char* source, ThemeChoice choice) {
        return MenuChoice{source, tr(source), now == choice};
    };
    fillChoices(actions_.theme,
                {look(QT_TR_NOOP("Follow system"), ThemeChoice::System), look(QT_TR_NOOP("Light"), ThemeChoice::Light),
                 look(QT_TR_NOOP("Dark"), ThemeChoice::Dark),
                 look(QT_TR_NOOP("High contrast, black on white"), ThemeChoice::ContrastLight),
                 look(QT_TR_NOOP("High contrast, white on black"), ThemeChoice::ContrastDark)},
                [this](int i) {
                    settings::setThemeChoice(static_cast<ThemeChoice>(i));
                    applyTheme(static_cast<ThemeChoice>(i));
                    QMetaObject::invokeMethod(this, &Menus::fill, Qt::QueuedConnection);
                });
    actions_.theme->addSeparator();
    const char* const motion_text = QT_TR_NOOP("Reduce motion");
    auto* motion = actions_.theme->addAction(tr(motion_text), this, [](bool reduced) {
        settings::setReducedMotion(reduced);
        setReducedMotion(reduced);
    });
    keepSource(*motion, motion_text);
    motion->setCheckable(true);
    motion->setChecked(settings::reducedMotion());
}

void Menus::fillLanguages() {
    QList<MenuChoice> names;
    for (const auto& language : languages())
        names << MenuChoice{language.name, QString::fromUtf8(language.name),
                            currentLanguage() == QLatin1String(language.code)};
    fillChoices(actions_.language, names, [this](int i) {
        const QString code = QString::fromLatin1(languages()[static_cast<std::size_t>(i)].code);
        settings::setLanguage(code);
        // Deferred, since switching rebuilds the menu that emits this.
        QMetaObject::invokeMethod(
            this, [code] { applyLanguage(code); }, Qt::QueuedConnection);
    });
}

namespace {

QString titleOf(const code::LanguageInfo& info) {
    return info.language == code::Language::Command ? CopyAs::tr("&Command line")
                                                    : QLatin1Char('&') + QLatin1String(info.title.data());
}

/// The saved workspace; otherwise the name that the code asks for.
std::string fileOf(const Document& document) {
    const bool saved = !document.path().isEmpty() && !document.isModified();
    return saved ? toPath(document.path()).string() : std::string(code::workspace_name);
}

} // namespace

CopyAs::CopyAs(QMenu& menu, Document& document, FileController& files, MessageBar& messages, QObject* parent)
    : QObject(parent), menu_(menu), document_(document), files_(files), messages_(messages) {
    for (const auto& info : code::languages())
        connect(menu_.addAction(titleOf(info)), &QAction::triggered, this,
                [this, language = info.language] { copy(language); });
    connect(&document_, &Document::problemChanged, this, [this] { reasons_.reset(); });
    connect(&menu_, &QMenu::aboutToShow, this, &CopyAs::showReasons);
}

void CopyAs::copy(code::Language language) {
    files_.finishTyping();
    if (const auto why = code::why_no_code(document_.problem(), language)) {
        messages_.showMessage(MessageBar::Kind::Notice, *why);
        return;
    }
    QGuiApplication::clipboard()->setText(
        QString::fromStdString(code::code_of(document_.problem(), language, fileOf(document_))));
    const auto at = static_cast<qsizetype>(language);
    messages_.showMessage(MessageBar::Kind::Notice,
                          tr("Copied as code: %1").arg(withoutMnemonic(menu_.actions().value(at)->text())));
}

const CopyAs::Reasons& CopyAs::reasons() {
    if (!reasons_)
        reasons_ = code::why_no_code(document_.problem());
    return *reasons_;
}

void CopyAs::showReasons() {
    const auto actions = menu_.actions();
    for (qsizetype i = 0; i < actions.size(); ++i) {
        const auto& why = reasons()[static_cast<std::size_t>(i)];
        const auto text = why ? translated(*why) : QString();
        actions[i]->setEnabled(!why);
        actions[i]->setToolTip(why ? text : withoutMnemonic(actions[i]->text()));
        actions[i]->setStatusTip(text);
    }
}

} // namespace attnlab::ui
