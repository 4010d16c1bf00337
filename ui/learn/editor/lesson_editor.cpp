#include "ui/learn/editor/lesson_editor.h"

#include "core/lessons/lesson.h"
#include "ui/learn/editor/board_form.h"
#include "ui/learn/editor/lesson_forms.h"
#include "ui/learn/editor/question_form.h"
#include "ui/learn/lab/board_page.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <iterator>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QListWidget>
#include <QMenu>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr int step_role = Qt::UserRole; ///< of a row: the index of its step before a drag

QToolButton* menuButton(const QString& text, QMenu* menu, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setMenu(menu);
    return button;
}

QPushButton* listButton(const QString& text, const QString& name) {
    auto* button = newButton(text, name);
    button->setAccessibleName(name);
    return button;
}

} // namespace

LessonEditor::LessonEditor(QWidget* parent)
    : QWidget(parent), document_(std::make_unique<LessonDocument>()),
      checker_(std::make_unique<DraftChecker>(*document_)), language_(currentLanguage()), menu_button_(nullptr),
      lesson_menu_(new QMenu(this)), undo_(new RowButton(this)), redo_(new RowButton(this)), save_(new RowButton(this)),
      try_(new RowButton(this, RowButton::Style::Accent)), steps_(new QListWidget(this)), add_(nullptr),
      add_menu_(new QMenu(this)), duplicate_(listButton(tr("Copy"), tr("Duplicate the step"))),
      remove_(listButton(tr("Remove"), tr("Remove the step (Delete)"))),
      up_(listButton(QStringLiteral("▲"), tr("Move the step up (Alt+Up)"))),
      down_(listButton(QStringLiteral("▼"), tr("Move the step down (Alt+Down)"))), tabs_(new SegmentSwitch(this)),
      languages_(new SegmentSwitch(this)), forms_(new PageStack), text_(new StepTextForm), question_(new QuestionForm),
      board_(new BoardForm), checks_(new ChecksForm), lesson_(new LessonForm), preview_box_(new Card(this)),
      preview_(new MarkdownLabel(nullptr, TextSpacing::Reading)) {
    if (std::ranges::find(lessons::languages, language_.toStdString()) == lessons::languages.end())
        language_ = QString::fromLatin1(lessons::languages.front().data());
    makeMenus();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 0, 8, 8);
    tools_ = makeTools();
    auto* parts = new QHBoxLayout;
    parts->setSpacing(8);
    parts->addWidget(makeStepList());
    parts->addWidget(makeForms(), 1);
    column->addLayout(parts, 1);
    for (DraftForm* form : std::initializer_list<DraftForm*>{text_, question_, board_, checks_, lesson_})
        connectForm(form);
    connectDocument();
    for (QWidget* part : {static_cast<QWidget*>(this), tools_}) {
        addKey(QKeySequence::Undo, part, [this] { document_->undo(); });
        addKey(QKeySequence::Redo, part, [this] { document_->redo(); });
        addKey(QKeySequence::Save, part, [this] { emit saveRequested(); });
    }
    addKey(QKeySequence(Qt::ALT | Qt::Key_Up), steps_, [this] { moveStep(document_->step(), document_->step() - 1); });
    addKey(QKeySequence(Qt::ALT | Qt::Key_Down), steps_,
           [this] { moveStep(document_->step(), document_->step() + 1); });
    addKey(QKeySequence::Delete, steps_, [this] { removeStep(); });
    declareShortcuts(*this, {tr("Lesson editor"),
                             {{QStringLiteral("Ctrl+S"), tr("Save the lesson")},
                              {tr("Alt + Up, Alt + Down"), tr("Move the step (in the list)")},
                              {tr("Delete"), tr("Remove the step (in the list)")}}});
    setTextLanguage(language_);
    refresh();
}

LessonEditor::~LessonEditor() = default;

void LessonEditor::addKey(const QKeySequence& key, QWidget* widget, const std::function<void()>& run) {
    auto* shortcut = new QShortcut(key, widget);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, run);
}

void LessonEditor::makeMenus() {
    lesson_menu_->addAction(tr("New lesson"), this, &LessonEditor::newRequested);
    lesson_menu_->addAction(tr("Open a lesson…"), this, &LessonEditor::openRequested);
    copies_ = lesson_menu_->addMenu(tr("Edit a copy of"));
    lesson_menu_->addSeparator();
    lesson_menu_->addAction(tr("Save as…"), this, &LessonEditor::saveAsRequested);
    lesson_menu_->addSeparator();
    lesson_menu_->addAction(tr("Compose a lecture…"), this, &LessonEditor::lectureRequested);
    add_menu_->addAction(tr("The scale lab"), this, [this] { emit labStepRequested(lab::BoardKind::ScaleLab); });
    add_menu_->addAction(tr("The mask lab"), this, [this] { emit labStepRequested(lab::BoardKind::MaskLab); });
    add_menu_->addAction(tr("What the workspace shows"), this, &LessonEditor::workspaceStepRequested);
    from_lessons_ = add_menu_->addMenu(tr("A step of a lesson"));
    connect(lesson_menu_, &QMenu::aboutToShow, this, &LessonEditor::lessonsRequested);
    connect(add_menu_, &QMenu::aboutToShow, this, &LessonEditor::lessonsRequested);
}

void LessonEditor::setLessons(const std::vector<LessonEntry>& lessons) {
    copies_->clear();
    from_lessons_->clear();
    for (std::size_t k = 0; k < lessons.size(); ++k) {
        const int lesson = static_cast<int>(k);
        const QString title = menuText(lessons[k].title);
        copies_->addAction(title, this, [this, lesson] { emit copyRequested(lesson); });
        auto* menu = from_lessons_->addMenu(title);
        for (qsizetype step = 0; step < lessons[k].steps.size(); ++step)
            menu->addAction(menuText(lessons[k].steps[step]), this,
                            [this, lesson, step] { emit stepRequested(lesson, static_cast<int>(step)); });
    }
}

QWidget* LessonEditor::makeTools() {
    auto* list = new RowButton(this);
    list->setText(tr("◂ Lessons"));
    list->setAccessibleName(tr("All lessons"));
    menu_button_ = menuButton(tr("Lesson"), lesson_menu_, this);
    undo_->setText(tr("Undo"));
    redo_->setText(tr("Redo"));
    save_->setText(tr("Save"));
    save_->setToolTip(tr("As an .attnlesson file, which a double click opens"));
    try_->setText(tr("Try it"));
    try_->setToolTip(tr("Runs the lesson from this step, as its readers see it"));
    connect(list, &QPushButton::clicked, this, &LessonEditor::listRequested);
    connect(undo_, &QPushButton::clicked, this, [this] { document_->undo(); });
    connect(redo_, &QPushButton::clicked, this, [this] { document_->redo(); });
    connect(save_, &QPushButton::clicked, this, &LessonEditor::saveRequested);
    connect(try_, &QPushButton::clicked, this, &LessonEditor::tryRequested);
    return rowOfTools(list, {menu_button_, undo_, redo_, save_, try_});
}

QWidget* LessonEditor::makeStepList() {
    constexpr int letters = 26;
    auto* box = new QWidget(this);
    box->setFixedWidth(letters * fontMetrics().averageCharWidth());
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    // Above the list: messages of the window come at the bottom.
    auto* buttons = new FlowLayout(nullptr, 4, 4);
    add_ = menuButton(tr("Add a step"), add_menu_, box);
    for (QWidget* button : std::initializer_list<QWidget*>{add_, up_, down_, duplicate_, remove_})
        buttons->addWidget(button);
    column->addLayout(buttons);
    column->addWidget(steps_, 1);
    QWidget* const in_order[] = {add_, up_, down_, duplicate_, remove_, steps_};
    for (std::size_t k = 1; k < std::size(in_order); ++k)
        setTabOrder(in_order[k - 1], in_order[k]);
    for (auto* button : {up_, down_})
        button->setFixedWidth(controlHeight(font()));
    steps_->setAccessibleName(tr("Steps of the lesson"));
    steps_->setDragDropMode(QAbstractItemView::InternalMove);
    steps_->setDefaultDropAction(Qt::MoveAction);
    steps_->setTextElideMode(Qt::ElideRight);
    steps_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(steps_, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0)
            document_->setStep(row);
    });
    // The list still moves rows when it says so.
    connect(steps_->model(), &QAbstractItemModel::rowsMoved, this, &LessonEditor::takeOrder, Qt::QueuedConnection);
    connect(steps_->model(), &QAbstractItemModel::rowsRemoved, this, &LessonEditor::takeOrder, Qt::QueuedConnection);
    connect(duplicate_, &QPushButton::clicked, this, &LessonEditor::duplicateStep);
    connect(remove_, &QPushButton::clicked, this, &LessonEditor::removeStep);
    connect(up_, &QPushButton::clicked, this, [this] { moveStep(document_->step(), document_->step() - 1); });
    connect(down_, &QPushButton::clicked, this, [this] { moveStep(document_->step(), document_->step() + 1); });
    return box;
}

QWidget* LessonEditor::makeForms() {
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    auto* line = new FlowLayout(nullptr, 12, 4);
    line->addWidget(tabs_);
    line->addWidget(languages_);
    column->addLayout(line);
    tabs_->setAccessibleName(tr("Parts of the lesson"));
    for (int k = 0; k < 5; ++k)
        tabs_->addTab({});
    languages_->setAccessibleName(tr("Language of the texts"));
    for (const auto code : lessons::languages)
        for (const auto& language : ui::languages())
            if (code == language.code)
                languages_->setTabData(languages_->addTab(QString::fromUtf8(language.name)),
                                       QString::fromLatin1(code.data()));
    for (QWidget* form : std::initializer_list<QWidget*>{text_, question_, board_, checks_, lesson_})
        forms_->addWidget(form);
    auto* parts = new QHBoxLayout;
    parts->setSpacing(8);
    parts->addWidget(new FittingScrollArea(forms_, FittingScrollArea::Scrolls::Down, this), 3);
    preview_box_->setTitle(tr("Preview"));
    auto* content = new QWidget;
    auto* inside = new QVBoxLayout(content);
    inside->addWidget(preview_);
    inside->addStretch(1);
    preview_->setAccessibleDescription(tr("Preview"));
    preview_box_->body()->addWidget(new FittingScrollArea(content, FittingScrollArea::Scrolls::Down, preview_box_), 1);
    parts->addWidget(preview_box_, 2);
    column->addLayout(parts, 1);
    connect(tabs_, &SegmentSwitch::currentChanged, this, [this] { showForm(); });
    connect(languages_, &SegmentSwitch::currentChanged, this, [this](int index) {
        language_ = languages_->tabData(index).toString();
        refresh();
    });
    return box;
}

void LessonEditor::connectDocument() {
    connect(document_.get(), &LessonDocument::changed, this, &LessonEditor::refresh);
    connect(document_.get(), &LessonDocument::copyFailed, this, &LessonEditor::copyFailed);
    connect(document_.get(), &LessonDocument::copyKept, this, &LessonEditor::copyKept);
    connect(checker_.get(), &DraftChecker::checked, this, &LessonEditor::refresh);
}

LessonEditor::State LessonEditor::takeState() {
    checker_.reset();
    document_->disconnect(this);
    board_->clear();
    return {std::move(document_), tab(), language_};
}

void LessonEditor::restoreState(State state) {
    if (!state.document)
        return;
    checker_.reset();
    document_ = std::move(state.document);
    checker_ = std::make_unique<DraftChecker>(*document_);
    connectDocument();
    setTextLanguage(state.language);
    showTab(state.tab);
    refresh();
}

LessonEditor::Tab LessonEditor::tab() const { return static_cast<Tab>(tabs_->currentIndex()); }

void LessonEditor::showTab(Tab tab) { tabs_->setCurrentIndex(static_cast<int>(tab)); }

void LessonEditor::setTextLanguage(const QString& language) {
    for (int k = 0; k < languages_->count(); ++k)
        if (languages_->tabData(k).toString() == language) {
            language_ = language;
            languages_->setCurrentIndex(k);
        }
}

void LessonEditor::showWrittenLanguage() {
    const auto& draft = document_->draft();
    if (!draft.has_language(language_.toStdString()))
        for (const auto code : lessons::languages)
            if (draft.has_language(code))
                setTextLanguage(QString::fromLatin1(code.data()));
}

void LessonEditor::pause() { board_->clear(); }

void LessonEditor::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

/// Each edit of a form becomes one of the document.
void LessonEditor::connectForm(DraftForm* form) {
    const auto change = [this](const std::function<void(lessons::Draft&)>& run, const QString& field) {
        auto draft = document_->draft();
        run(draft);
        // Undo takes back words, not whole fields.
        document_->edit(std::move(draft),
                        field.isEmpty() ? field : QStringLiteral("%1 %2").arg(field).arg(DraftField::typingRun()),
                        document_->step());
    };
    const auto change_step = [this, change](const std::function<void(lessons::DraftStep&)>& run, const QString& field) {
        const auto step = static_cast<std::size_t>(document_->step());
        if (document_->step() >= 0)
            change([&](lessons::Draft& draft) { run(draft.steps.at(step)); },
                   field.isEmpty() ? field : QStringLiteral("%1 %2").arg(step).arg(field));
    };
    connect(form, &DraftForm::lessonChanged, this,
            [this, change](const std::function<void(lessons::Draft&)>& run, const QString& field) {
                change(run, field.isEmpty() ? field : language_ + QLatin1Char(' ') + field);
            });
    connect(form, &DraftForm::stepChanged, this, change_step);
    connect(form, &DraftForm::textChanged, this,
            [this, change_step](const std::function<void(lessons::DraftText&)>& run, const QString& field) {
                change_step([&](lessons::DraftStep& step) { run(step.texts[language_.toStdString()]); },
                            language_ + QLatin1Char(' ') + field);
            });
}

namespace {

/// Words that are shown as they are.
QString escapedMarkdown(const QString& words) {
    QString escaped;
    for (const QChar letter : words) {
        if (QStringLiteral("\\`*_{}[]()<>#+-.!|~$").contains(letter))
            escaped += QLatin1Char('\\');
        escaped += letter;
    }
    return escaped;
}

} // namespace

EditedLesson LessonEditor::edited() const {
    const int step = document_->step();
    return {
        document_->draft(),        step, language_.toStdString(), checker_->report(step), checker_->reportOfBoard(step),
        checker_->lessonMistakes()};
}

void LessonEditor::refresh() {
    const QString title = document_->title();
    const QString heading = document_->isUnsaved() ? tr("%1 (not saved)").arg(title) : title;
    if (std::exchange(heading_, heading) != heading)
        emit headingChanged();
    undo_->setEnabled(document_->canUndo());
    redo_->setEnabled(document_->canRedo());
    save_->setEnabled(document_->isUnsaved() || document_->path().isEmpty());
    const int count = static_cast<int>(document_->draft().steps.size());
    try_->setEnabled(count > 0);
    for (auto* button : {duplicate_, remove_})
        button->setEnabled(count > 0);
    up_->setEnabled(document_->step() > 0);
    down_->setEnabled(document_->step() >= 0 && document_->step() + 1 < count);
    showSteps();
    showForm();
}

void LessonEditor::showSteps() {
    const QSignalBlocker quiet(steps_);
    const auto& steps = document_->draft().steps;
    while (steps_->count() > static_cast<int>(steps.size()))
        delete steps_->takeItem(steps_->count() - 1);
    while (steps_->count() < static_cast<int>(steps.size())) {
        auto* item = new QListWidgetItem(steps_);
        item->setFlags(item->flags() & ~Qt::ItemIsDropEnabled); // dropped between two, never on one
    }
    for (int k = 0; k < steps_->count(); ++k) {
        const auto& step = steps[static_cast<std::size_t>(k)];
        const auto text = step.texts.find(language_.toStdString());
        const QString title = text == step.texts.end() ? QString() : textOf(text->second.title);
        const QString mistakes = mistakesOf(k);
        auto* item = steps_->item(k);
        item->setText(
            tr("%1. %2", "number and title of a step").arg(k + 1).arg(title.isEmpty() ? tr("(no title)") : title));
        item->setIcon(mistakes.isEmpty() ? QIcon() : icon(QStringLiteral("warning")));
        item->setToolTip(mistakes.isEmpty() ? title : title + QLatin1Char('\n') + mistakes);
        item->setData(Qt::AccessibleDescriptionRole, mistakes);
        item->setData(step_role, k);
    }
    steps_->setCurrentRow(document_->step());
}

QString LessonEditor::mistakesOf(int step) const {
    QStringList lines;
    if (const auto report = checker_->latestReport(step))
        for (const auto& mistake : report->mistakes)
            lines << translated(mistake.message);
    return lines.join(QLatin1Char('\n'));
}

/// The part of the editor that has the field of a mistake.
LessonEditor::Tab LessonEditor::tabOf(const lessons::DraftPlace& place) {
    const auto& field = place.field;
    if (place.step == lessons::DraftPlace::lesson)
        return Tab::Lesson;
    if (field == "board" || field == "live" || field.starts_with("card "))
        return Tab::Board;
    if (field.find("checks ") != field.npos)
        return Tab::Checks;
    return field == "title" || field == "body" ? Tab::Text : Tab::Question;
}

void LessonEditor::showPlace(const lessons::DraftPlace& place) {
    if (place.step != lessons::DraftPlace::lesson)
        document_->setStep(static_cast<int>(place.step));
    if (!place.language.empty())
        setTextLanguage(textOf(place.language));
    showTab(tabOf(place));
}

template <class Counts>
int LessonEditor::countMistakes(Counts counts) const {
    const auto count = [&](const std::vector<lessons::DraftMistake>& mistakes) {
        return std::ranges::count_if(mistakes, [&](const auto& mistake) { return counts(mistake.place); });
    };
    const auto report = checker_->latestReport(document_->step());
    return static_cast<int>(count(checker_->lessonMistakes()) + (report ? count(report->mistakes) : 0));
}

/// The parts with fields to correct in the language on show, and the languages with any.
void LessonEditor::showCounts() {
    const auto set = [](SegmentSwitch& tabs, int k, const QString& name, int count) {
        const QString text = count > 0 ? tr("%1 (%2)", "part, number of mistakes").arg(name).arg(count) : name;
        if (tabs.tabText(k) != text)
            tabs.setTabText(k, text);
        tabs.setTabToolTip(k, count > 0 ? tr("To correct: %1").arg(count) : QString());
    };
    const auto language = language_.toStdString();
    const QString names[] = {tr("Text"), tr("Question"), tr("Board"), tr("Checks"), tr("Lesson")};
    for (int k = 0; k < tabs_->count(); ++k)
        set(*tabs_, k, names[k], countMistakes([&](const lessons::DraftPlace& place) {
            return tabOf(place) == static_cast<Tab>(k) && (place.language.empty() || place.language == language);
        }));
    for (int k = 0; k < languages_->count(); ++k) {
        const auto code = languages_->tabData(k).toString();
        for (const auto& one : ui::languages())
            if (code == QLatin1String(one.code))
                set(*languages_, k, QString::fromUtf8(one.name),
                    countMistakes([&](const auto& place) { return place.language == code.toStdString(); }));
    }
}

void LessonEditor::showForm() {
    showCounts();
    forms_->setCurrentIndex(tabs_->currentIndex());
    preview_box_->setVisible(tab() == Tab::Text || tab() == Tab::Question);
    if (!isVisible())
        return;
    const auto lesson = edited();
    forms_->currentWidget()->setEnabled(document_->step() >= 0 || tab() == Tab::Lesson);
    static_cast<DraftForm*>(forms_->currentWidget())->show(lesson);
    if (tab() != Tab::Board)
        board_->clear();
    if (!preview_box_->isHidden())
        showPreview(lesson);
}

void LessonEditor::showPreview(const EditedLesson& lesson) {
    const auto* step = lesson.edited();
    if (!step) {
        preview_->setSource(tr("A lesson has steps. Add one from a lab, the workspace or another lesson."));
        return;
    }
    const auto filled = [&](const std::string& field) {
        return textOf(lesson.board ? lessons::filled_field(field, *lesson.board) : field);
    };
    const auto& text = lesson.text();
    QStringList parts;
    const auto add = [&](const QString& part) {
        if (!part.trimmed().isEmpty())
            parts << part;
    };
    if (!text.title.empty())
        add(QStringLiteral("**%1**").arg(escapedMarkdown(textOf(text.title))));
    add(filled(text.body));
    if (step->question) {
        add(filled(text.question));
        QStringList options;
        for (std::size_t k = 0; k < step->question->options.size(); ++k) {
            const auto words = text.options.find(step->question->options[k].id);
            const bool right =
                lesson.report && k < lesson.report->options.size() && lesson.report->options[k].claim.holds;
            options << QStringLiteral("%1. %2%3")
                           .arg(k + 1)
                           .arg(words == text.options.end()
                                    ? QString()
                                    : escapedMarkdown(plainText(filled(words->second)).simplified()),
                                right ? QStringLiteral(" ✓") : QString());
        }
        add(options.join(QLatin1Char('\n')));
        if (!text.hint.empty())
            add(tr("*Hint:* %1").arg(filled(text.hint)));
        add(filled(text.answer));
    }
    preview_->setSource(parts.join(QStringLiteral("\n\n")));
}

QString LessonEditor::previewText() const { return plainText(preview_->source()); }

void LessonEditor::addStep(lessons::DraftStep step) {
    auto draft = document_->draft();
    const int at = document_->step() + 1;
    lessons::insert_step(draft, static_cast<std::size_t>(at), std::move(step));
    document_->edit(std::move(draft), {}, at);
}

void LessonEditor::beginTyping() {
    showTab(Tab::Text);
    auto* editor = text_->title()->editor();
    editor->setFocus();
}

void LessonEditor::duplicateStep() {
    if (document_->step() >= 0)
        addStep(document_->draft().steps[static_cast<std::size_t>(document_->step())]);
}

void LessonEditor::removeStep() {
    const int step = document_->step();
    if (step < 0)
        return;
    auto draft = document_->draft();
    draft.steps.erase(draft.steps.begin() + step);
    const int last = static_cast<int>(draft.steps.size()) - 1;
    document_->edit(std::move(draft), {}, std::min(step, last));
}

void LessonEditor::moveStep(int from, int to) {
    auto draft = document_->draft();
    const int count = static_cast<int>(draft.steps.size());
    if (from < 0 || from >= count || to < 0 || to >= count || from == to)
        return;
    auto step = std::move(draft.steps[static_cast<std::size_t>(from)]);
    draft.steps.erase(draft.steps.begin() + from);
    draft.steps.insert(draft.steps.begin() + to, std::move(step));
    document_->edit(std::move(draft), {}, to);
}

/// After a drag.
void LessonEditor::takeOrder() {
    const auto& steps = document_->draft().steps;
    if (steps_->count() != static_cast<int>(steps.size()))
        return; // in the middle of it
    lessons::Draft draft = document_->draft();
    draft.steps.clear();
    int current = document_->step();
    for (int row = 0; row < steps_->count(); ++row) {
        const int before = steps_->item(row)->data(step_role).toInt();
        if (before < 0 || before >= static_cast<int>(steps.size()))
            return;
        draft.steps.push_back(steps[static_cast<std::size_t>(before)]);
        if (steps_->item(row) == steps_->currentItem())
            current = row;
    }
    if (!(draft == document_->draft()))
        document_->edit(std::move(draft), {}, current);
}

} // namespace attnlab::ui
