#include "ui/window/learn_mode.h"

#include "core/lessons/lesson_files.h"
#include "core/lessons/saved_board.h"
#include "ui/document/document.h"
#include "ui/document/file_controller.h"
#include "ui/document/local_files.h"
#include "ui/document/settings.h"
#include "ui/export/export_dialog.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/lab/board_page.h"
#include "ui/learn/lecture_dialog.h"
#include "ui/learn/lesson/displayed_lesson.h"
#include "ui/learn/lesson_export.h"
#include "ui/learn/lesson_list.h"
#include "ui/learn/lesson_page.h"
#include "ui/learn/presentation.h"
#include "ui/learn/presenter_view.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/window/actions.h"
#include "ui/window/exclusive_mode.h"
#include "ui/window/lesson_authoring.h"
#include "ui/window/top_bar.h"
#include "ui/window/workspace_parts.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QStackedWidget>
#include <QStatusBar>
#include <utility>

namespace attnlab::ui {
namespace {

const QString topic = QStringLiteral("lesson");

PresenterView* makePresenterView(const LearnWindow& parts) {
    const auto& actions = parts.actions;
    return new PresenterView(parts.window,
                             {actions.next_step, actions.previous_step, actions.jump, actions.blank, actions.laser,
                              actions.present, actions.presenter_view},
                             {actions.previous_step, actions.next_step, actions.jump, actions.blank});
}

/// What else can be opened.
QMenu* makeLessonsMenu(const Actions& actions) {
    auto* menu = new QMenu;
    menu->addActions({actions.lessons, actions.lesson_menu->menuAction(), actions.scale_lab, actions.mask_lab});
    menu->addSeparator();
    menu->addActions({actions.open_lesson, actions.open_lesson_file});
    return menu;
}

} // namespace

LearnMode::LearnMode(const LearnWindow& parts)
    : QObject(&parts.window), parts_(parts), page_(new LearnPage),
      presentation_(new Presentation(parts.window, *page_)), laser_(new LaserPointer(*page_)),
      blank_(new BlankScreen(parts.window)), presenter_(makePresenterView(parts)), status_(new ElidedLabel),
      cover_(new ExclusiveMode({parts.window, parts.actions, parts.centre, parts.document, parts.top}, page_, status_,
                               this)),
      authoring_(new LessonAuthoring(
          {parts.window, parts.document, parts.view, parts.large, parts.files, parts.messages}, *page_, this)) {
    connect(authoring_, &LessonAuthoring::editorRequested, this, [this] {
        presentation_->leave();
        enter();
        page_->showEditor();
    });
    parts_.top.addPage(page_, makeLessonsMenu(parts_.actions), page_->tools());
    parts_.window.statusBar()->addWidget(status_, 1);
    status_->setContentsMargins(8, 0, 8, 0);
    status_->hide();
    connectPage();
    connectActions();
    // A replaced document becomes visible.
    connect(&parts_.document, &Document::problemChanged, this, &LearnMode::leave);
    allowActions();
}

LearnMode::~LearnMode() {
    delete presentation_;
    delete presenter_;
    delete blank_;
    delete status_;
}

void LearnMode::connectPage() {
    connect(page_, &LearnPage::changed, this, &LearnMode::allowActions);
    connect(page_, &LearnPage::changed, this, &LearnMode::showNumbers);
    connect(page_, &LearnPage::changed, this, &LearnMode::showTitle);
    connect(page_->editor(), &LessonEditor::headingChanged, this, &LearnMode::showTitle);
    connect(&parts_.document, &Document::titleChanged, this, &LearnMode::showTitle, Qt::QueuedConnection);
    connect(&page_->editor()->document(), &LessonDocument::changed, this, &LearnMode::allowActions);
    connect(page_, &LearnPage::takeRequested, this, &LearnMode::take);
    connect(page_, &LearnPage::presentationRequested, presentation_, &Presentation::enter);
    connect(page_, &LearnPage::changed, this, [this] {
        if (page_->showing() == LearnPage::Showing::Editor)
            presentation_->leave(); // an audience does not watch the editor
    });
    connect(page_, &LearnPage::folderRequested, this, &LearnMode::chooseFolder);
    connect(page_, &LearnPage::forgetRequested, this, &LearnMode::askToForget);
    connect(page_, &LearnPage::computed, this, &LearnMode::showNumbers);
    for (const auto signal : {&LearnPage::changed, &LearnPage::computed})
        connect(page_, signal, this, &LearnMode::showNotes);
    connect(presenter_, &PresenterView::shownChanged, this, [this](bool shown) {
        parts_.actions.presenter_view->setChecked(shown);
        showNotes();
    });
    connect(page_, &LearnPage::turned, this, [this] { parts_.messages.clear(topic); });
    connect(page_, &LearnPage::failed, this, [this](const Message& why) {
        if (isOn()) // not what is checked in the background
            parts_.messages.showMessage(MessageBar::Kind::Error, why, topic);
    });
    connect(presentation_, &Presentation::changed, this, [this](bool on) {
        const bool begins = on && !page_->lessonPage()->isPresenting();
        page_->setPresenting(on);
        parts_.actions.present->setChecked(on);
        parts_.window.findChild<Rail*>()->setVisible(!on);
        parts_.top.setVisible(!on);
        if (!on) {
            parts_.actions.laser->setChecked(false);
            blank_->setOn(false);
        } else if (begins && (presenter_->elapsed() < 0 || page_->lessonPage()->step() == 0)) {
            presenter_->startClock();
        }
        allowActions();
    });
}

void LearnMode::connectActions() {
    auto& actions = parts_.actions;
    const auto on = [this](QAction* action, auto&& run) { connect(action, &QAction::triggered, this, run); };
    on(actions.lessons, [this] { showList(); });
    on(actions.scale_lab, [this] { showLab(lab::BoardKind::ScaleLab); });
    on(actions.mask_lab, [this] { showLab(lab::BoardKind::MaskLab); });
    on(actions.open_lesson, [this] { chooseFolder(); });
    on(actions.open_lesson_file, [this] { chooseFile(); });
    on(actions.save_board, [this] { chooseWhereToSave(); });
    on(actions.make_step, [this] { authoring_->makeStep(isOn()); });
    on(actions.write_lesson, [this] { authoring_->showEditor(); });
    on(actions.edit_lesson, [this] { authoring_->editLesson(); });
    on(actions.next_step, [this] { turn(&LearnPage::next); });
    on(actions.previous_step, [this] { turn(&LearnPage::back); });
    on(actions.reset_step, [this] { page_->reset(); });
    on(actions.present, [this](bool start) { start ? present() : presentation_->leave(); });
    on(actions.take_step, [this] { take(); });
    on(actions.export_step, [this] { exportStep(); });
    on(actions.export_handout, [this] { exportHandout(); });
    on(actions.presenter_view, [this](bool show) { show ? presenter_->open() : presenter_->hide(); });
    on(actions.jump, [this] { openJumpMenu(); });
    on(actions.blank, [this] { blank_->setOn(!blank_->isOn()); });
    actions.blank->setShortcuts({Qt::Key_B, Qt::Key_Period});
    connect(actions.laser, &QAction::toggled, laser_, &LaserPointer::setOn);
    connect(actions.lesson_menu, &QMenu::aboutToShow, this, &LearnMode::fillLessons);
    // Remote clickers send these besides Page Down and Page Up.
    actions.next_step->setShortcuts({Qt::Key_PageDown, Qt::Key_Forward, Qt::Key_MediaNext});
    actions.previous_step->setShortcuts({Qt::Key_PageUp, Qt::Key_Back, Qt::Key_MediaPrevious});
}

bool LearnMode::isOn() const { return cover_->isOn(); }

void LearnMode::enter() {
    if (isOn())
        return;
    emit entering();
    cover_->cover();
    showTitle(); // the page may be what it was before
}

void LearnMode::leave() {
    if (!isOn())
        return;
    presentation_->leave();
    presenter_->hide();
    parts_.actions.laser->setChecked(false);
    parts_.messages.clear(topic);
    if (page_->showing() == LearnPage::Showing::Editor)
        page_->editor()->pause();
    cover_->uncover();
    allowActions();
    emit parts_.document.titleChanged(); // the window is the document's again
}

void LearnMode::showTitle() {
    parts_.top.setTitle(page_, page_->heading());
    if (!isOn())
        return;
    using Showing = LearnPage::Showing;
    const auto showing = page_->showing();
    const auto& lesson = page_->lessonPage()->lesson();
    const QString title = showing == Showing::Lesson && lesson ? lesson->title()
                          : showing == Showing::Lab            ? page_->labPage()->title()
                                                               : tr("Lessons");
    parts_.window.setWindowModified(false);
    parts_.window.setWindowTitle(title + QStringLiteral("[*] — AttnLab"));
}

/// Enables the entries of the menu Learn that currently apply.
void LearnMode::allowActions() {
    const auto showing = page_->showing();
    const bool lesson = isOn() && showing == LearnPage::Showing::Lesson;
    const bool board = isOn() && (lesson || showing == LearnPage::Showing::Lab);
    auto& actions = parts_.actions;
    for (auto* action : {actions.laser, actions.presenter_view})
        action->setEnabled(isOn());
    const bool nothing_written =
        showing == LearnPage::Showing::Editor && page_->editor()->document().draft().steps.empty();
    actions.present->setEnabled(isOn() && !nothing_written);
    // Single letters: outside of a presentation they are typed.
    for (auto* action : {actions.jump, actions.blank})
        action->setEnabled(isOn() && presentation_->isOn());
    const bool covered = board && page_->frame() && page_->frame()->isCovered();
    actions.make_step->setEnabled(!isOn() || (board && !covered)); // else it takes what the workspace shows
    actions.edit_lesson->setEnabled(lesson && !page_->isTrying() && page_->lessonPage()->lesson()->minutes() == 0.0);
    const bool away = isOn() && page_->jumpOrigin().has_value() && !lesson; // in a lab, from a lesson
    actions.next_step->setEnabled(lesson || away);
    actions.export_handout->setEnabled(lesson);
    actions.take_step->setEnabled(lesson && page_->lessonPage()->canBeTaken());
    actions.previous_step->setEnabled(
        away || (lesson && (page_->lessonPage()->step() > 0 || page_->lessonPage()->panel()->page() > 0)));
    actions.reset_step->setEnabled(isOn() && page_->isChanged());
    actions.export_step->setEnabled(board);
    // A saved board would be open.
    actions.save_board->setEnabled(board && page_->frame() && !covered);
    for (auto* action : {actions.next_step, actions.previous_step, actions.reset_step, actions.take_step,
                         actions.present, actions.laser, actions.presenter_view, actions.export_step,
                         actions.export_handout, actions.save_board, actions.edit_lesson})
        action->setVisible(isOn());
    for (auto* action : {actions.jump, actions.blank})
        action->setVisible(isOn() && presentation_->isOn());
}

void LearnMode::show() {
    if (isOn())
        return;
    enter();
    if (page_->showing() == LearnPage::Showing::List)
        page_->showList();
    else
        allowActions();
}

void LearnMode::showList() {
    enter();
    page_->showList();
}

void LearnMode::showLesson(int index) {
    enter();
    page_->showLesson(index);
}

void LearnMode::showLab(lab::BoardKind board) {
    enter();
    page_->showLab(board);
}

bool LearnMode::isLesson(const QString& path) {
    return QFileInfo(path).isDir()
               ? QFileInfo::exists(path + QStringLiteral("/scene.json"))
               : path.endsWith(QLatin1String(lessons::archive_suffix.data())) || isLectureFile(path);
}

bool LearnMode::openFolder(const QString& path) {
    LessonPtr lesson;
    try {
        lesson = isLectureFile(path) ? readLectureFile(path, shippedLessons())
                                     : readLesson(path, QFileInfo(path).absoluteFilePath());
    } catch (const Error& error) {
        parts_.messages.showMessage(MessageBar::Kind::Error, error.message(), topic);
        return false;
    }
    parts_.messages.clear(topic);
    enter();
    page_->showOther(lesson);
    return true;
}

void LearnMode::chooseFolder() {
    const auto path =
        QFileDialog::getExistingDirectory(&parts_.window, tr("Open a lesson folder"), settings::lastFolder());
    if (path.isEmpty())
        return;
    settings::setLastFolder(path);
    openFolder(path);
}

void LearnMode::chooseFile() {
    const auto path = QFileDialog::getOpenFileName(
        &parts_.window, tr("Open a lesson or a board"), settings::lastFolder(),
        tr("Lessons, boards and lectures (%1)")
            .arg(QStringLiteral("*%1 *%2").arg(QLatin1String(lessons::archive_suffix.data()),
                                               QLatin1String(lessons::lecture_suffix.data()))));
    if (path.isEmpty())
        return;
    settings::setLastFolder(QFileInfo(path).path());
    openFolder(path);
}

void LearnMode::askToForget() {
    parts_.messages.showQuestion(
        [] { return tr("Forget which steps you have seen and what you have answered, in every lesson?"); },
        [] { return tr("Forget"); }, [&window = parts_.window] { window.findChild<LearnPage*>()->forget(); }, [] {});
}

/// What is being written is tried.
void LearnMode::present() {
    if (page_->showing() == LearnPage::Showing::Editor)
        page_->tryLesson();
    if (page_->showing() != LearnPage::Showing::Editor)
        presentation_->enter();
    parts_.actions.present->setChecked(presentation_->isOn());
}

void LearnMode::take() {
    const auto scene =
        isOn() && page_->showing() == LearnPage::Showing::Lesson ? page_->lessonPage()->workspaceScene() : std::nullopt;
    // Replacing the document leaves the learn mode.
    if (scene)
        parts_.files.openProblem(scene->problem, scene->title, scene->stage);
}

QByteArray LearnMode::usualGeometry() const { return presentation_->usualGeometry(); }

void LearnMode::setUsualLayout(const QByteArray& layout) { cover_->setUsualLayout(layout); }

QByteArray LearnMode::usualLayout() const { return cover_->usualLayout(); }

LearnMode::State LearnMode::takeState() {
    return {isOn(),         page_->takeState(),      presentation_->usual(),     parts_.actions.laser->isChecked(),
            blank_->isOn(), presenter_->isVisible(), presenter_->saveGeometry(), presenter_->elapsed()};
}

void LearnMode::restoreState(State state) {
    if (state.on)
        enter();
    page_->restoreState(std::move(state.page));
    if (state.presenting)
        presentation_->resume(*state.presenting);
    parts_.actions.laser->setChecked(state.laser);
    blank_->setOn(state.blank);
    if (state.elapsed >= 0)
        presenter_->startClock(state.elapsed);
    presenter_->restoreGeometry(state.presenter_geometry);
    presenter_->setVisible(state.presenter_open);
}

/// While the screen is black, it only comes back.
void LearnMode::turn(void (LearnPage::*to)()) {
    if (blank_->isOn())
        blank_->setOn(false);
    else
        (page_->*to)();
}

void LearnMode::showNotes() {
    if (presenter_->isVisible())
        presenter_->setNotes(page_->presenterNotes());
}

/// In the presenter's window if that is where the key was pressed, so that the audience does not see it.
void LearnMode::openJumpMenu() {
    blank_->setOn(false);
    auto* where = presenter_->isActiveWindow() ? static_cast<QWidget*>(presenter_) : page_;
    auto* menu = new QMenu(where);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setFont(where->font());
    const auto lesson = page_->lessonPage()->lesson();
    const bool in_lesson = page_->showing() == LearnPage::Showing::Lesson;
    if (const auto origin = page_->jumpOrigin(); lesson && origin) {
        menu->addAction(tr("&Back to “%1”").arg(menuText(lesson->stepTitle(*origin))), page_, &LearnPage::jumpBack);
        menu->addSeparator();
    }
    for (int step = 0; lesson && step < lesson->stepCount(); ++step) {
        auto* action = menu->addAction(
            tr("%1. %2", "number and title of a step")
                .arg((step < 9 ? QStringLiteral("&%1") : QStringLiteral("%1")).arg(step + 1), // a key of its own
                     menuText(lesson->stepTitle(step))),
            page_, [page = page_, step] { page->jumpToStep(step); });
        action->setCheckable(true);
        action->setChecked(in_lesson && step == page_->lessonPage()->step());
        if (action->isChecked())
            menu->setActiveAction(action);
    }
    menu->addSeparator();
    for (const auto& [action, board] : {std::pair(parts_.actions.scale_lab, lab::BoardKind::ScaleLab),
                                        std::pair(parts_.actions.mask_lab, lab::BoardKind::MaskLab)})
        menu->addAction(action->text(), page_, [page = page_, kind = board] { page->jumpToLab(kind); });
    // The style reserves too little for marks beside large letters.
    menu->setMinimumWidth(menu->sizeHint().width() + 2 * menu->fontMetrics().height());
    const QRect room = where->window()->geometry();
    QRect place(QPoint(), menu->sizeHint().boundedTo(room.size()));
    place.moveCenter(room.center());
    menu->popup(place.topLeft());
}

void LearnMode::fillLessons() {
    auto* menu = parts_.actions.lesson_menu;
    menu->clear();
    int index = 0;
    for (const auto& lesson : page_->lessons()) {
        const QString title = menuText(lesson->title());
        auto* action = menu->addAction(lesson->minutes() > 0.0
                                           ? tr("Lecture: %1").arg(title)
                                           : tr("%1. %2", "number and title of a lesson").arg(index + 1).arg(title),
                                       this, [this, index] { showLesson(index); });
        action->setStatusTip(lesson->summary());
        ++index;
    }
}

void LearnMode::showNumbers() {
    const auto* frame = page_->frame();
    const auto result = frame ? frame->model().result() : nullptr;
    if (!result) {
        status_->clear();
        return;
    }
    constexpr double milliseconds = 1000.0;
    const QString time = numberText(result->seconds * milliseconds, 2);
    const auto count = result->settings.size();
    const QString engine = frame->model().computedScene().model ? tr("model in float32") : tr("exact (64-bit)");
    status_->setText(count == 1 ? tr("%1 · %2 ms", "engine and time").arg(engine, time)
                                : tr("%1 · %2 ms · %3 settings of the same inputs").arg(engine, time).arg(count));
}

// What the learn mode exports and saves.

namespace {

/// "02-why-divide" for a shipped lesson, the folder's name for others.
QString fileName(const Lesson& lesson) { return QFileInfo(lesson.key()).fileName(); }

} // namespace

void LearnMode::exportStep() {
    const auto* frame = page_->frame();
    auto picture = frame && frame->board() ? frame->board()->picture() : nullptr;
    if (!picture) {
        parts_.messages.showMessage(MessageBar::Kind::Notice, tr("There is no picture yet"));
        return;
    }
    const bool is_step = page_->showing() == LearnPage::Showing::Lesson;
    const auto* lesson = page_->lessonPage();
    auto subject = is_step ? stepExport(std::move(picture), lesson->lesson()->stepTitle(lesson->step()),
                                        lesson->stepText(), boardName())
                           : stepExport(std::move(picture), page_->labPage()->title(), QString(), boardName());
    addBoardPage(subject, frame->model().scene(), frame->model().view(), boardName());
    exportSubject(std::move(subject));
}

void LearnMode::chooseWhereToSave() {
    const QString suffix = QLatin1String(lessons::archive_suffix.data()).mid(1);
    const QString path = choosePathToSave(
        &parts_.window,
        {tr("Save this lab"), boardName(), {suffix}, tr("Boards (%1)").arg(QStringLiteral("*.") + suffix)});
    if (path.isEmpty())
        return;
    settings::setLastFolder(QFileInfo(path).path());
    saveBoard(path);
}

QString LearnMode::boardName() const {
    if (page_->showing() == LearnPage::Showing::Lab)
        return textOf(lab::id_of(*page_->labPage()->lab()));
    const auto* page = page_->lessonPage();
    return fileName(*page->lesson()) + QLatin1Char('-') + page->lesson()->stepId(page->step());
}

bool LearnMode::saveBoard(const QString& path) {
    const auto* frame = page_->frame();
    if (!frame || !frame->board())
        return false;
    const bool lab = page_->showing() == LearnPage::Showing::Lab;
    const auto* page = page_->lessonPage();
    const QString title = lab ? page_->labPage()->title() : page->lesson()->stepTitle(page->step());
    const QString words =
        lab ? tr("The lab as it was saved.") : tr("From “%1”, as it was saved.").arg(page->lesson()->title());
    try {
        lessons::save_board(
            path.toStdString(), frame->model().scene(), frame->model().view(),
            {currentLanguage().toStdString(), title.simplified().toStdString(), words.simplified().toStdString()});
    } catch (const Error& error) {
        parts_.messages.showMessage(MessageBar::Kind::Error, error.message(), QStringLiteral("lesson"));
        return false;
    }
    parts_.messages.showMessage(MessageBar::Kind::Notice, tr("Saved: %1").arg(QDir::toNativeSeparators(path)));
    return true;
}

void LearnMode::exportHandout() {
    const auto lesson = page_->lessonPage()->lesson();
    exportSubject(handoutExport(lesson, fileName(*lesson)));
}

void LearnMode::exportSubject(ExportSubject subject) {
    auto* dialog = openExport(std::move(subject), &parts_.window);
    connect(dialog, &ExportDialog::exported, this, [this](const QStringList& files) {
        parts_.messages.showMessage(MessageBar::Kind::Notice,
                                    tr("Exported: %1").arg(QDir::toNativeSeparators(files.join(QStringLiteral(", ")))));
    });
}

} // namespace attnlab::ui
