#include "ui/window/lesson_authoring.h"

#include "core/lessons/lesson_files.h"
#include "ui/document/document.h"
#include "ui/document/file_controller.h"
#include "ui/document/local_files.h"
#include "ui/document/settings.h"
#include "ui/document/view_state.h"
#include "ui/learn/editor/lesson_editor.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/learn_page.h"
#include "ui/learn/lecture_dialog.h"
#include "ui/learn/lesson/displayed_lesson.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/popups.h"
#include "ui/widgets/text.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QScopedValueRollback>
#include <utility>

namespace attnlab::ui {
namespace {

const QString lesson_topic = QStringLiteral("lesson");
const QString copy_topic = QStringLiteral("copy of a lesson");

} // namespace

LessonAuthoring::LessonAuthoring(const AuthoringWindow& parts, LearnPage& page, QObject* parent)
    : QObject(parent), parts_(parts), page_(page) {
    connectEditor();
}

void LessonAuthoring::connectEditor() {
    auto* editor = page_.editor();
    connect(&page_, &LearnPage::editorRequested, this, &LessonAuthoring::showEditor);
    connect(editor, &LessonEditor::newRequested, this, [this] {
        if (mayDiscard())
            begin({}, {});
    });
    connect(editor, &LessonEditor::openRequested, this, [this] {
        const auto path = QFileDialog::getOpenFileName(
            &parts_.window, tr("Open a lesson"), settings::lastFolder(),
            tr("Lessons (%1)")
                .arg(QLatin1Char('*') + QLatin1String(lessons::archive_suffix.data()) + QStringLiteral(" scene.json")));
        if (path.isEmpty())
            return;
        settings::setLastFolder(QFileInfo(path).path());
        editFile(path);
    });
    connect(editor, &LessonEditor::saveRequested, this, [this] {
        const QString path = page_.editor()->document().path();
        path.isEmpty() ? chooseWhereToSave() : save(path);
    });
    connect(editor, &LessonEditor::saveAsRequested, this, &LessonAuthoring::chooseWhereToSave);
    connect(editor, &LessonEditor::copyRequested, this, [this](int index) {
        if (mayDiscard())
            begin(page_.draftOf(index), {}, true);
    });
    connect(editor, &LessonEditor::stepRequested, this, [this](int index, int step) {
        page_.editor()->addStep(page_.draftOf(index).steps.at(static_cast<std::size_t>(step)));
    });
    connect(editor, &LessonEditor::labStepRequested, this, [this](lab::BoardKind board) {
        addStep(lab::free_lab_scene(board), lab::free_lab_view(board),
                board == lab::BoardKind::MaskLab ? tr("Mask lab") : tr("Scale lab"));
    });
    connect(editor, &LessonEditor::workspaceStepRequested, this, [this] { addStepOfWorkspace(); });
    connect(editor, &LessonEditor::lectureRequested, this, &LessonAuthoring::composeLecture);
    connect(editor, &LessonEditor::copyFailed, this, [this](const Message& why) {
        parts_.messages.showMessage(MessageBar::Kind::Error,
                                    tr("Your lesson is not kept for the case of a crash: %1").arg(translated(why)),
                                    copy_topic);
    });
    connect(editor, &LessonEditor::copyKept, this, [this] { parts_.messages.clear(copy_topic); });
}

void LessonAuthoring::showEditor() { emit editorRequested(); }

void LessonAuthoring::begin(lessons::Draft draft, const QString& path, bool unsaved) {
    page_.editor()->document().end();
    page_.editor()->document().begin(std::move(draft), path, unsaved);
    page_.editor()->showWrittenLanguage();
    parts_.messages.clear(lesson_topic);
    showEditor();
}

bool LessonAuthoring::makeStep(bool of_board) {
    if (!of_board)
        return addStepOfWorkspace();
    const auto* frame = page_.frame();
    if (!frame || !frame->board())
        return false;
    const auto& scene = frame->model().scene();
    const auto& view = frame->model().view();
    if (page_.showing() == LearnPage::Showing::Lab)
        return addStep(scene, view, page_.labPage()->title());
    const auto& lesson = *page_.lessonPage()->lesson();
    const int shown = page_.lessonPage()->step();
    if (lesson.isLecture()) // its slides are no texts of a lesson
        return addStep(scene, view, lesson.stepTitle(shown));
    const bool as_written = scene == lesson.scene(shown) && view == lesson.view(shown);
    const bool as_answered = scene == lesson.revealedScene(shown) && view == lesson.revealedView(shown);
    try {
        auto step = page_.draftOf(page_.lessonIndex()).steps.at(static_cast<std::size_t>(shown));
        if (!as_written && !as_answered)
            lessons::set_board(step, scene, view, scene == lesson.scene(shown));
        return insert(std::move(step));
    } catch (const Error& error) {
        parts_.messages.showMessage(MessageBar::Kind::Error, error.message(), lesson_topic);
        return false;
    }
}

bool LessonAuthoring::insert(lessons::DraftStep step) {
    page_.editor()->addStep(std::move(step));
    parts_.messages.clear(lesson_topic);
    showEditor();
    page_.editor()->beginTyping();
    return true;
}

bool LessonAuthoring::addStep(const lab::Scene& scene, const lab::BoardSpec& view, const QString& title) {
    try {
        auto step = lessons::draft_step_of(scene, view);
        step.id = "step";
        step.texts[page_.editor()->textLanguage().toStdString()].title = title.simplified().toStdString();
        return insert(std::move(step));
    } catch (const Error& error) {
        parts_.messages.showMessage(MessageBar::Kind::Error, error.message(), lesson_topic);
        return false;
    }
}

/// Matrices of the stage on show, of one setting, or of two that are compared.
bool LessonAuthoring::addStepOfWorkspace() {
    if (parts_.large.isOpen()) {
        parts_.messages.showMessage(
            MessageBar::Kind::Error,
            Message{ATTNLAB_TEXT("The inputs are too large for a lesson, which has no maps. Use fewer tokens.")},
            lesson_topic);
        return false;
    }
    const auto& problem = parts_.document.problem();
    const auto scene = lab::scene_of(problem, {"first", "second"});
    lab::BoardSpec view;
    view.stage = parts_.view.stage().toStdString();
    for (const auto& setting : scene.settings) {
        lab::Card card{setting.id, setting.id, {}};
        card.batch = parts_.view.batch();
        if (parts_.view.head() == ViewState::mean_of_heads)
            card.head.reset();
        else
            card.head = parts_.view.head();
        view.cards.push_back(std::move(card));
    }
    if (const auto pin = parts_.view.pinned())
        view.pin = lab::BoardCell{pin->row, pin->column};
    view.live = {lab::BoardControl::Stage, lab::BoardControl::Head};
    return addStep(scene, view, parts_.document.title());
}

/// A saved lecture is shown behind the dialog, ready to be presented.
void LessonAuthoring::composeLecture() {
    const auto shipped = shippedLessons();
    auto* dialog = new LectureDialog(shipped, &parts_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &LectureDialog::saved, this, [this, shipped](const QString& path) {
        page_.showOther(readLectureFile(path, shipped));
        parts_.messages.showMessage(MessageBar::Kind::Notice, tr("Saved: %1").arg(QDir::toNativeSeparators(path)));
    });
    dialog->open();
}

void LessonAuthoring::editLesson() {
    const auto lesson = page_.lessonPage()->lesson();
    const QString path =
        lesson->key().endsWith(QLatin1String(lessons::archive_suffix.data())) ? lesson->key() : QString();
    const int step = page_.lessonPage()->step();
    if (!mayDiscard())
        return;
    try {
        begin(page_.draftOf(page_.lessonIndex()), path, path.isEmpty());
        page_.editor()->document().setStep(step);
    } catch (const Error& error) {
        parts_.messages.showMessage(MessageBar::Kind::Error, error.message(), lesson_topic);
    }
}

bool LessonAuthoring::editFile(const QString& path) {
    const QFileInfo info(path);
    const bool folder = !path.endsWith(QLatin1String(lessons::archive_suffix.data()));
    const QString place = folder && !info.isDir() ? info.path() : path;
    try {
        auto draft = lessons::read_draft(lessonFiles(place));
        if (!mayDiscard())
            return false;
        begin(std::move(draft), folder ? QString() : info.absoluteFilePath(), folder);
    } catch (const Error& error) {
        parts_.messages.showMessage(MessageBar::Kind::Error, error.message(), lesson_topic);
        return false;
    }
    return true;
}

bool LessonAuthoring::chooseWhereToSave() {
    const QString suffix = QLatin1String(lessons::archive_suffix.data()).mid(1);
    QString name = page_.editor()->document().title().simplified();
    name.replace(QLatin1Char('/'), QLatin1Char('-'));
    const QString path = choosePathToSave(
        &parts_.window, {tr("Save the lesson"), name, {suffix}, tr("Lessons (%1)").arg(QStringLiteral("*.") + suffix)});
    if (path.isEmpty())
        return false;
    settings::setLastFolder(QFileInfo(path).path());
    return save(path);
}

bool LessonAuthoring::save(const QString& path) {
    try {
        page_.editor()->document().save(path);
    } catch (const Error& error) {
        parts_.messages.showMessage(MessageBar::Kind::Error, error.message(), lesson_topic);
        return false;
    }
    parts_.messages.showMessage(MessageBar::Kind::Notice, tr("Saved: %1").arg(QDir::toNativeSeparators(path)));
    return true;
}

bool LessonAuthoring::mayDiscard() {
    auto& document = page_.editor()->document();
    if (!document.isUnsaved())
        return true;
    if (asking_)
        return false; // its question is on show
    const QScopedValueRollback<bool> asking(asking_, true);
    using Answer = FileController::Answer;
    auto answer = parts_.files.answer();
    if (answer == Answer::Ask) {
        const auto button =
            ask(&parts_.window,
                {tr("Unsaved lesson"), tr("The lesson “%1” has changes that are not saved.").arg(document.title())},
                QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
        answer = button == QMessageBox::Save      ? Answer::Save
                 : button == QMessageBox::Discard ? Answer::Discard
                                                  : Answer::Cancel;
    }
    if (answer == Answer::Save)
        return document.path().isEmpty() ? chooseWhereToSave() : save(document.path());
    return answer == Answer::Discard;
}

void LessonAuthoring::end() { page_.editor()->document().end(); }

void LessonAuthoring::offerLeft() {
    const auto all = LessonDocument::left();
    if (all.empty())
        return;
    const auto& left = all.front();
    const auto title = left.title.isEmpty() ? tr("New lesson") : left.title;
    auto& window = parts_.window; // the message outlives this object when the language changes
    parts_.messages.showQuestion([title] { return tr("The lesson “%1” was not saved.").arg(title); },
                                 [] { return tr("Restore"); },
                                 [&window, left] { window.findChild<LessonAuthoring*>()->restore(left); }, {});
    parts_.messages.alsoOffer([] { return tr("Discard"); }, [path = left.path] { LessonDocument::remove(path); });
}

void LessonAuthoring::restore(const LessonDocument::Left& left) {
    try {
        auto draft = lessons::read_draft(lessonFiles(left.path));
        if (!mayDiscard())
            return;
        begin(std::move(draft), left.file, true);
        LessonDocument::remove(left.path); // the lesson that is open has a copy of its own
    } catch (const Error& error) {
        parts_.messages.showMessage(MessageBar::Kind::Error, error.message(), lesson_topic);
    }
}

} // namespace attnlab::ui
