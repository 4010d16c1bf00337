#include "ui/learn/learn_page.h"

#include "core/lessons/draft_check.h"
#include "core/lessons/lesson_draft.h"
#include "core/lessons/lesson_files.h"
#include "ui/learn/lesson/displayed_lesson.h"
#include "ui/learn/lesson_list.h"
#include "ui/widgets/layouts.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnlab::ui {

LearnPage::LearnPage(QWidget* parent)
    : QWidget(parent), pages_(new PageStack(this)), tools_(new PageStack), list_(new LessonList),
      lesson_(new LessonPage), lab_(new LabPage), editor_(new LessonEditor),
      check_([this](const auto& mistakes) { sayMistakes(mistakes); }) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(pages_);
    pages_->addWidget(list_);
    pages_->addWidget(lesson_);
    pages_->addWidget(lab_);
    pages_->addWidget(editor_);
    for (QWidget* tools : {list_->tools(), lesson_->tools(), lab_->tools(), editor_->tools()})
        tools_->addWidget(tools);
    connect(pages_, &QStackedWidget::currentChanged, tools_, &QStackedWidget::setCurrentIndex);

    connect(list_, &LessonList::lessonChosen, this, &LearnPage::showLesson);
    connect(list_, &LessonList::labChosen, this, &LearnPage::showLab);
    connect(list_, &LessonList::folderRequested, this, &LearnPage::folderRequested);
    connect(list_, &LessonList::forgetRequested, this, &LearnPage::forgetRequested);
    connect(list_, &LessonList::editorRequested, this, &LearnPage::editorRequested);
    connect(editor_, &LessonEditor::listRequested, this, &LearnPage::showList);
    connect(editor_, &LessonEditor::tryRequested, this, &LearnPage::tryLesson);
    connect(editor_, &LessonEditor::lessonsRequested, this, &LearnPage::fillEditorMenus);
    connect(lesson_, &LessonPage::changed, this, &LearnPage::sayMistakesOfTriedStep);
    connect(lesson_, &LessonPage::finished, this, &LearnPage::showNextLesson);
    connect(lesson_, &LessonPage::workspaceRequested, this, &LearnPage::takeRequested);
    for (BoardPage* page : {static_cast<BoardPage*>(lesson_), static_cast<BoardPage*>(lab_)}) {
        connect(page, &BoardPage::listRequested, this,
                [this, page] { trying_&& page == lesson_ ? showEditor() : showList(); });
        connect(page, &BoardPage::presentationRequested, this, &LearnPage::presentationRequested);
        connect(page, &BoardPage::changed, this, &LearnPage::changed);
        connect(page, &BoardPage::failed, this, &LearnPage::failed);
        connect(page->frame(), &BoardFrame::computed, this, &LearnPage::computed);
    }
}

const std::vector<LessonPtr>& LearnPage::lessons() {
    if (shipped_ < 0) {
        lessons_ = shippedLessons();
        shipped_ = static_cast<int>(lessons_.size());
        for (auto& lecture : shippedLectures(lessons_))
            lessons_.push_back(std::move(lecture));
        list_->setLessons(lessons_, shipped_);
    }
    return lessons_;
}

LearnPage::Showing LearnPage::showing() const { return static_cast<Showing>(pages_->currentIndex()); }

QString LearnPage::heading() const {
    switch (showing()) {
    case Showing::Lesson:
        return lesson_->heading();
    case Showing::Lab:
        return lab_->heading();
    case Showing::Editor:
        return editor_->heading();
    case Showing::List:
        break;
    }
    return tr("Lessons");
}

BoardPage* LearnPage::boardPage() const { return qobject_cast<BoardPage*>(pages_->currentWidget()); }

BoardFrame* LearnPage::frame() const { return boardPage() ? boardPage()->frame() : nullptr; }

void LearnPage::showList() {
    lessons();
    jumped_from_.reset();
    list_->refresh();
    turn(list_);
    list_->focusRow(index_);
    emit changed();
}

QString LearnPage::headingOf(int index) {
    const auto& lesson = *lessons()[static_cast<std::size_t>(index)];
    const QString title = lesson.title();
    if (const double minutes = lesson.minutes(); minutes > 0.0)
        return tr("Lecture of %n minutes · %1", nullptr, static_cast<int>(std::lround(minutes))).arg(title);
    return index < shipped_ ? tr("Lesson %1 of %2 · %3").arg(index + 1).arg(shipped_).arg(title) : title;
}

void LearnPage::showLesson(int index) {
    if (index < 0 || index >= static_cast<int>(lessons().size()))
        return;
    index_ = index;
    jumped_from_.reset();
    setTrying(false);
    turn(lesson_);
    const bool another = index + 1 < shipped_;
    lesson_->open(lessons_[static_cast<std::size_t>(index)], headingOf(index),
                  another ? StepPanel::NextTarget::Lesson : StepPanel::NextTarget::List);
    lesson_->panel()->nextButton()->setFocus();
    if (index >= shipped_ && lessons_[static_cast<std::size_t>(index)]->minutes() == 0.0)
        checkLater(lessons_[static_cast<std::size_t>(index)]);
    emit changed();
}

/// Loading a lesson reports errors of its files; whether its statements refer to existing things requires computing
/// every step. Shipped lessons are already checked.
void LearnPage::checkLater(const LessonPtr& lesson) {
    check_.request([lesson](const RunControl& control) { return lesson->mistakes(control); });
}

void LearnPage::sayMistakes(const std::vector<lessons::Mistake>& mistakes) {
    if (mistakes.empty())
        return;
    const auto first = mistakes.front().text();
    emit failed(mistakes.size() == 1 ? Message{"%1", {first}}
                                     : Message{ATTNLAB_TEXT("%1 (and %2 more; attnlab lesson FOLDER lists them all)"),
                                               {first, std::to_string(mistakes.size() - 1)}});
}

void LearnPage::showEditor() {
    turn(editor_);
    editor_->refresh();
    emit changed();
}

void LearnPage::tryLesson() {
    static const QString key = QStringLiteral("being-written");
    const auto& document = editor_->document();
    if (const auto missing = lessons::missing_in(document.draft()); !missing.empty()) {
        editor_->showPlace(missing.front().place);
        emit failed(missing.front().message);
        return;
    }
    try {
        const lessons::WrittenDraft written(document.draft());
        const auto lesson = std::make_shared<const Lesson>(
            lessons::load_lesson("lesson", written.files(lessonFiles(QStringLiteral(":/attnlab")))), key);
        LessonProgress progress; // without answers
        progress.step = lesson->stepId(std::max(0, document.step()));
        setLessonProgress(key, progress);
        setTrying(true);
        turn(lesson_);
        lesson_->open(lesson, tr("Trying: %1").arg(lesson->title()), StepPanel::NextTarget::List);
    } catch (const lessons::LessonError& error) {
        const auto place = lessons::WrittenDraft(document.draft()).place_of(error.mistakes().front());
        editor_->showPlace(place);
        emit failed(error.mistakes().front().message);
        return;
    } catch (const Error& error) {
        emit failed(error.message());
        return;
    }
    lesson_->panel()->nextButton()->setFocus();
    emit changed();
}

void LearnPage::setTrying(bool on) {
    trying_ = on;
    told_step_ = -1;
    if (on)
        lesson_->setBackButton(tr("◂ Editor"), tr("Back to the lesson editor"));
    else
        lesson_->setBackButton(tr("◂ Lessons"), tr("All lessons"));
}

/// The checks of a lesson that is being written, beside the step that they are about.
void LearnPage::sayMistakesOfTriedStep() {
    if (!trying_ || showing() != Showing::Lesson || lesson_->step() == told_step_)
        return;
    told_step_ = lesson_->step();
    emit turned();
    if (const QString mistakes = editor_->mistakesOf(told_step_); !mistakes.isEmpty())
        emit failed({ATTNLAB_TEXT("This step is not right yet: %1"), {mistakes.toStdString()}});
}

lessons::Draft LearnPage::draftOf(int index) {
    const auto& lesson = *lessons().at(static_cast<std::size_t>(index));
    const QString folder =
        index < shipped_ ? QStringLiteral(":/attnlab/lessons/") + lesson.key() : lesson.key(); // of a folder or a file
    return lessons::read_draft(lessonFiles(folder));
}

void LearnPage::fillEditorMenus() {
    std::vector<LessonEditor::LessonEntry> entries;
    lessons();
    for (int k = 0; k < shipped_; ++k) {
        const auto& lesson = *lessons_[static_cast<std::size_t>(k)];
        entries.push_back({tr("%1. %2", "number and title of a lesson").arg(k + 1).arg(lesson.title()), {}});
        for (int step = 0; step < lesson.stepCount(); ++step)
            entries.back().steps << lesson.stepTitle(step);
    }
    editor_->setLessons(entries);
}

void LearnPage::showNextLesson() {
    if (trying_) {
        showEditor();
        return;
    }
    if (index_ + 1 < shipped_)
        showLesson(index_ + 1);
    else
        showList();
}

void LearnPage::showLab(lab::BoardKind board) {
    jumped_from_.reset();
    lab_->open(board);
    turn(lab_);
    emit changed();
}

void LearnPage::jumpToStep(int step) {
    if (!lesson_->lesson())
        return;
    if (showing() == Showing::Lesson && step != lesson_->step())
        jumped_from_ = lesson_->step();
    turn(lesson_);
    lesson_->showStep(step);
    emit changed();
}

void LearnPage::jumpToLab(lab::BoardKind board) {
    const bool from_lesson = showing() == Showing::Lesson;
    const auto origin = from_lesson ? std::optional(lesson_->step()) : jumped_from_;
    showLab(board);
    jumped_from_ = origin;
    lab_->setFocus();
    emit changed();
}

void LearnPage::jumpBack() {
    const auto origin = std::exchange(jumped_from_, std::nullopt);
    if (!origin || !lesson_->lesson())
        return;
    turn(lesson_);
    lesson_->showStep(*origin);
    emit changed();
}

void LearnPage::showOther(const LessonPtr& lesson) {
    lessons();
    auto place = std::ranges::find_if(lessons_, [&](const LessonPtr& known) { return known->key() == lesson->key(); });
    if (place == lessons_.end())
        place = lessons_.insert(lessons_.end(), lesson);
    else
        *place = lesson;
    const auto index = static_cast<int>(place - lessons_.begin());
    list_->setLessons(lessons_, shipped_);
    showLesson(index);
}

void LearnPage::turn(QWidget* page) {
    check_.cancel();
    if (page != editor_)
        editor_->pause();
    emit turned();
    pages_->setCurrentWidget(page);
}

void LearnPage::close() {
    check_.cancel();
    jumped_from_.reset();
    lesson_->close();
    lab_->close();
    editor_->pause();
    pages_->setCurrentWidget(list_);
}

LearnPage::State LearnPage::takeState() {
    return {lessons_,
            shipped_,
            index_,
            jumped_from_,
            check_.isRunning(),
            showing(),
            lesson_->takeState(),
            lab_->takeState(),
            editor_->takeState(),
            trying_};
}

void LearnPage::restoreState(State state) {
    lessons_ = std::move(state.lessons);
    shipped_ = state.shipped;
    index_ = state.index;
    jumped_from_ = state.jumped_from;
    if (shipped_ >= 0)
        list_->setLessons(lessons_, shipped_);
    editor_->restoreState(std::move(state.editor));
    setTrying(state.trying);
    if (state.lesson.lesson) {
        const QString heading = trying_ ? tr("Trying: %1").arg(state.lesson.lesson->title()) : headingOf(index_);
        lesson_->restoreState(std::move(state.lesson), heading);
    }
    lab_->restoreState(std::move(state.lab));
    pages_->setCurrentIndex(static_cast<int>(state.showing));
    if (state.checking)
        checkLater(lessons_[static_cast<std::size_t>(index_)]);
    emit changed();
}

bool LearnPage::isChanged() const { return boardPage() && boardPage()->isChanged(); }

void LearnPage::reset() {
    if (boardPage())
        boardPage()->reset();
}

void LearnPage::forget() {
    forgetProgress();
    list_->refresh();
}

void LearnPage::setPresenting(bool on) {
    const bool begins = on && !lesson_->isPresenting();
    for (BoardPage* page : std::initializer_list<BoardPage*>{lesson_, lab_})
        page->setPresenting(on);
    if (showing() == Showing::List) // the rows have another height
        list_->focusRow(index_);
    if (begins)
        focusToPresent();
}

/// The button that began it is hidden; Qt would give its focus to whatever is next, where the keys do not turn steps.
void LearnPage::focusToPresent() {
    if (showing() == Showing::Lab)
        lab_->setFocus(); // in a number, digits would replace it
    if (showing() != Showing::Lesson || !lesson_->panel()->isVisible())
        return;
    auto* next = lesson_->panel()->nextButton();
    (next->isHidden() ? lesson_->panel()->backButton() : next)->setFocus();
}

void LearnPage::next() {
    if (showing() == Showing::Lesson)
        lesson_->next();
    else
        jumpBack();
}

void LearnPage::back() {
    if (showing() == Showing::Lesson)
        lesson_->back();
    else
        jumpBack();
}

PresenterNotes LearnPage::presenterNotes() const {
    if (showing() == Showing::Lesson)
        return lesson_->presenterNotes();
    PresenterNotes notes;
    notes.title = showing() == Showing::Lab ? lab_->title() : tr("Lessons");
    if (jumped_from_ && lesson_->lesson()) {
        notes.next = lesson_->lesson()->stepTitle(*jumped_from_);
        notes.press = tr("the step before the jump");
    }
    return notes;
}

} // namespace attnlab::ui
