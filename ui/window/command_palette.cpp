#include "ui/window/command_palette.h"

#include "core/lessons/lesson.h"
#include "core/mechanisms.h"
#include "ui/document/file_controller.h"
#include "ui/document/samples.h"
#include "ui/learn/learn_page.h"
#include "ui/learn/lesson/displayed_lesson.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/model/head_panel.h"
#include "ui/model/heads_wall.h"
#include "ui/model/model_page.h"
#include "ui/model/sentence_panel.h"
#include "ui/panels/mechanism/mechanism_bar.h"
#include "ui/panels/mechanism/mechanism_choices.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/state_box.h"
#include "ui/widgets/text.h"
#include "ui/window/actions.h"
#include "ui/window/learn_mode.h"
#include "ui/window/main_window.h"
#include "ui/window/model_mode.h"
#include "ui/window/results.h"
#include "ui/window/work_area.h"

#include <algorithm>
#include <QAction>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QTimer>
#include <QVBoxLayout>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr int usual_width = 600, usual_height = 400;
constexpr int most_of_a_kind = 2000; ///< heads or tokens

class Entries {
public:
    explicit Entries(MainWindow& window) : window_(window) {}

    std::vector<PaletteEntry> all() {
        addMenus();
        if (window_.modelMode()->isOn()) {
            addHeadsOfModel();
            addTokensOfModel();
        } else if (!window_.learnMode()->isOn()) {
            addStages();
            addHeads();
            addTokens();
        }
        addSamples();
        addMechanisms();
        addLessons();
        return std::move(entries_);
    }

private:
    void add(const QString& heading, const QString& title, const QString& help, std::function<void()> run) {
        entries_.push_back({{.id = {}, .heading = heading, .title = title, .help = help}, std::move(run)});
    }

    /// Of the last entry, also of a kind: "Samples".
    void setSource(const QString& title, const QStringList& others) {
        entries_.back().source_title = title;
        entries_.back().source_texts = others.join(QLatin1Char(' '));
    }

    void addMenus() {
        for (const QAction* entry : window_.menuBar()->actions()) {
            const QString heading = withoutMnemonic(entry->text()), source = Actions::sourceOf(*entry);
            for (QAction* action : entry->menu()->actions()) {
                if (!action->menu())
                    addAction(heading, withoutMnemonic(action->text()), action, source);
                else if (action->isVisible() && action->menu() != window_.actions().lesson_menu) // which are below
                    for (QAction* choice : action->menu()->actions())
                        if (!choice->menu())
                            addAction(heading,
                                      CommandPalette::tr("%1: %2", "menu: its entry")
                                          .arg(withoutMnemonic(action->text()), withoutMnemonic(choice->text())),
                                      choice, source + QLatin1Char(' ') + Actions::sourceOf(*action));
            }
        }
    }

    /// `menus`: the English texts of the menus that it is in.
    void addAction(const QString& heading, const QString& title, QAction* action, const QString& menus) {
        if (action->isSeparator() || !action->isVisible() || !action->isEnabled() ||
            action == window_.actions().find_anything)
            return;
        add(heading, title, action->statusTip(), [action] { action->trigger(); });
        entries_.back().item.badge = action->shortcut().toString(QKeySequence::NativeText);
        const auto* panel = qobject_cast<const QDockWidget*>(action->parent());
        setSource(panel ? panel->objectName() : Actions::sourceOf(*action), {menus});
    }

    void addStages() {
        if (window_.largeInputs()->isOpen())
            return; // its stages are not stored
        for (const QString& name : window_.stageStrip()->stageNames()) {
            add(CommandPalette::tr("Stages"), stageWordsInPass(name.toStdString()), {}, [&window = window_, name] {
                window.viewState().setStage(name);
                window.centre()->showMatrix();
            });
            setSource(name, {QStringLiteral("Stages")});
        }
    }

    void addHeads() {
        const int heads = std::min(window_.results().heads(), most_of_a_kind);
        for (int head = 0; heads > 1 && head < heads; ++head) {
            add(CommandPalette::tr("Heads"), headTitle(head), {},
                [&window = window_, head] { window.viewState().setHead(head); });
            setSource(QStringLiteral("Head %1").arg(head), {QStringLiteral("Heads")});
        }
    }

    void addTokens() {
        SentenceRibbon* ribbon = window_.workArea()->ribbon();
        const RibbonTokens& tokens = ribbon->arcs()->tokens();
        const int count = std::min(tokens.count(RibbonTokens::Side::Queries), most_of_a_kind);
        for (int token = 0; tokens.haveWords() && token < count; ++token)
            add(CommandPalette::tr("Tokens"), tokens.full(RibbonTokens::Side::Queries, token),
                CommandPalette::tr("What this token reads"), [ribbon, token] { ribbon->choose(token); });
    }

    void addHeadsOfModel() {
        ModelPage* page = window_.modelMode()->page();
        const auto head = page->headOnShow();
        const auto& shown = page->wall()->shown();
        for (std::size_t i = 0; head && i < shown.size() && i < most_of_a_kind; ++i) {
            add(CommandPalette::tr("Heads"), headTitle(*head->result, shown[i]),
                QStringLiteral("%1.%2").arg(shown[i].pass).arg(shown[i].head),
                [page, place = shown[i]] { page->wall()->choose(place); });
            setSource(QStringLiteral("Layer %1 head %2").arg(shown[i].pass).arg(shown[i].head),
                      {QStringLiteral("Heads")});
        }
    }

    void addTokensOfModel() {
        ModelPage* page = window_.modelMode()->page();
        const RibbonTokens& tokens = page->arcs()->tokens();
        const int count = std::min(tokens.count(RibbonTokens::Side::Queries), most_of_a_kind);
        for (int token = 0; token < count; ++token)
            add(CommandPalette::tr("Tokens"), tokens.full(RibbonTokens::Side::Queries, token),
                CommandPalette::tr("What this token reads"), [page, token] { page->sentence()->setQuery(token); });
    }

    void addSamples() {
        for (const auto& sample : samples()) {
            add(CommandPalette::tr("Samples"), sample.displayTitle(), sample.displayHelp(),
                [&window = window_, id = QString::fromLatin1(sample.id)] {
                    if (window.files().openSample(id))
                        window.actions().go_workspace->trigger();
                });
            setSource(QString::fromUtf8(sample.title), {QString::fromUtf8(sample.help), QStringLiteral("Samples")});
        }
    }

    void addMechanisms() {
        auto items = variantItems();
        for (auto& item : items) {
            const QString id = std::exchange(item.id, {});
            item.heading = CommandPalette::tr("Mechanisms");
            const Mechanism& mechanism = mechanism_of(id.toStdString());
            if (!mechanism.formula.empty() && mechanism.formula.size() < 40)
                item.formula_text = textOf(mechanism.formula);
            entries_.push_back({std::move(item), [&window = window_, id] {
                                    window.actions().go_workspace->trigger();
                                    window.mechanismBar()->chooseVariant(id);
                                }});
            setSource(QString::fromUtf8(mechanism.title),
                      {id, QString::fromUtf8(mechanism.help), QString::fromUtf8(mechanism.family),
                       QStringLiteral("Mechanisms")});
        }
    }

    void addLessons() {
        int index = 0;
        for (const auto& lesson : window_.learnMode()->page()->lessons()) {
            add(CommandPalette::tr("Lessons"), lesson->title(), lesson->summary(),
                [&window = window_, index] { window.learnMode()->showLesson(index); });
            const auto& source = lesson->content().title_in("en");
            setSource(textOf(source.title), {textOf(source.summary), QStringLiteral("Lessons")});
            ++index;
        }
    }

    MainWindow& window_;
    std::vector<PaletteEntry> entries_;
};

/// 0: the title begins with the words; 1: it has them; 2: all texts together have them. -1: they do not.
int rankOf(const PaletteEntry& entry, const QString& words) {
    const PickerItem& item = entry.item;
    const auto all = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const auto has = [&all](const QString& text) {
        return std::ranges::all_of(all, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
    };
    const QStringList titles{item.title, entry.source_title};
    if (std::ranges::any_of(titles, [begin = words.trimmed()](const QString& title) {
            return title.startsWith(begin, Qt::CaseInsensitive);
        }))
        return 0;
    if (std::ranges::any_of(titles, has))
        return 1;
    const QStringList texts{item.help, item.heading, item.badge, entry.source_texts};
    return has((titles + texts).join(QLatin1Char(' '))) ? 2 : -1;
}

} // namespace

std::vector<PaletteEntry> paletteEntries(MainWindow& window) { return Entries(window).all(); }

CommandPalette::CommandPalette(QWidget* parent)
    : QFrame(parent, Qt::Popup), search_(new QLineEdit(this)), view_(new PickerView(this)),
      nothing_(new StateBox(view_->viewport(), StateBox::Place::Middle)) {
    setFrameShape(QFrame::StyledPanel);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    setAccessibleName(tr("Find anything"));
    search_->setPlaceholderText(tr("Find actions, samples, mechanisms, lessons, heads and words"));
    search_->setAccessibleName(search_->placeholderText());
    view_->setAccessibleName(tr("What was found"));
    view_->setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 8, 1, 5);
    auto* field = new QVBoxLayout;
    field->setContentsMargins(8, 0, 8, 0);
    field->addWidget(search_);
    column->addLayout(field);
    column->addWidget(view_, 1);
    search_->installEventFilter(this);
    connect(search_, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(view_, &PickerView::picked, this, &CommandPalette::run);
}

void CommandPalette::open(std::vector<PaletteEntry> entries) {
    entries_ = std::move(entries);
    for (std::size_t i = 0; i < entries_.size(); ++i)
        entries_[i].item.id = QString::number(i);
    const QSignalBlocker quiet(search_);
    search_->clear();
    filter({});
    const QWidget& window = *parentWidget()->window();
    const int line = fontMetrics().height();
    const QSize size =
        QSize(std::max(usual_width, 36 * line), std::max(usual_height, 24 * line)).boundedTo(window.size() * 9 / 10);
    QRect place(QPoint(), size);
    place.moveCenter(window.rect().center());
    place.moveTop(window.height() / 8);
    setGeometry(place.translated(window.mapToGlobal(QPoint())));
    show();
    endAtEntry();
    search_->setFocus(Qt::PopupFocusReason);
}

/// No entry in part, which would look as if it were the last one.
void CommandPalette::endAtEntry() {
    layout()->activate();
    const int room = view_->viewport()->height();
    int end = 0;
    for (int row = 0; row < view_->model()->rowCount(); ++row) {
        const auto index = view_->model()->index(row, 0);
        const int bottom = view_->visualRect(index).bottom() + 1;
        if (bottom > room)
            break;
        if (index.flags() & Qt::ItemIsEnabled) // not a heading
            end = bottom;
    }
    if (end > 0)
        resize(width(), height() - (room - end));
}

void CommandPalette::filter(const QString& words) {
    std::vector<PickerItem> ranked[3];
    for (const auto& entry : entries_)
        if (const int rank = words.trimmed().isEmpty() ? 0 : rankOf(entry, words); rank >= 0)
            ranked[rank].push_back(entry.item);
    std::vector<PickerItem> shown;
    for (auto& items : ranked)
        shown.insert(shown.end(), items.begin(), items.end());
    if (!words.trimmed().isEmpty())
        for (auto& item : shown) { // the best first, whatever they are
            item.help = item.help.isEmpty() ? item.heading : tr("%1 · %2").arg(item.heading, item.help);
            item.heading.clear();
        }
    view_->setItems(shown);
    nothing_->setState({PictureState::Look::Empty, shown.empty() ? tr("Nothing has these words") : QString()});
    view_->step(1);
    view_->scrollToTop();
}

QStringList CommandPalette::titles() const {
    QStringList all;
    for (int row = 0; row < view_->model()->rowCount(); ++row)
        if (const auto index = view_->model()->index(row, 0); index.flags() & Qt::ItemIsEnabled)
            all << index.data().toString();
    return all;
}

void CommandPalette::run(const QString& id) {
    close();
    // After the popup has closed, so that dialogs and focus belong to the window. The copy outlives this object, which
    // another language makes anew.
    QTimer::singleShot(0, parentWidget(), entries_[id.toUInt()].run);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched != search_ || event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
        view_->step(1);
        return true;
    case Qt::Key_Up:
        view_->step(-1);
        return true;
    case Qt::Key_PageDown:
    case Qt::Key_PageUp:
        for (int i = 0; i < 8; ++i)
            view_->step(static_cast<QKeyEvent*>(event)->key() == Qt::Key_PageDown ? 1 : -1);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        view_->pickCurrent();
        return true;
    default:
        return QFrame::eventFilter(watched, event);
    }
}

} // namespace attnlab::ui
