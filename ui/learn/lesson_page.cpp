#include "ui/learn/lesson_page.h"

#include "core/lessons/lesson.h"
#include "ui/learn/lesson/step_panel.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/text.h"

#include <QHBoxLayout>
#include <QShortcut>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnlab::ui {

LessonPage::LessonPage(QWidget* parent) : LessonPage(new RowButton, new StepPanel, parent) {}

LessonPage::LessonPage(QPushButton* workspace, StepPanel* panel, QWidget* parent)
    : BoardPage(workspace, panel, parent), workspace_(workspace), cover_(new RowButton(this)),
      show_text_(new RowButton(this)), panel_(panel), measuring_([this](StepQuestion measured) {
          question_ = std::move(measured);
          measured_ = true;
          renewQuestion();
          if (isPresenting() && progress_.answers.contains(lesson_->stepId(step_)))
              turnToAnswer();
          emit changed();
          if (!pending_.isEmpty())
              choose(std::exchange(pending_, {}));
          if (std::exchange(reveals_right_, false))
              revealRightOption();
      }),
      text_job_([this](SceneResultPtr result) {
          written_ = std::move(result);
          renewText();
      }) {
    connect(workspace_, &QPushButton::clicked, this, &LessonPage::workspaceRequested);
    connect(panel_, &StepPanel::nextRequested, this, &LessonPage::next);
    connect(panel_, &StepPanel::backRequested, this, &LessonPage::back);
    connect(panel_, &StepPanel::stepRequested, this, &LessonPage::showStep);
    connect(panel_, &StepPanel::resetRequested, this, &LessonPage::reset);
    connect(panel_, &StepPanel::optionChosen, this, &LessonPage::choose);
    connect(panel_, &StepPanel::answerRequested, this,
            [this] { answer(progress_.tries.value(lesson_->stepId(step_))); });
    connect(panel_, &StepPanel::hideRequested, this, [this] { setTextShown(false); });
    connect(show_text_, &QPushButton::clicked, this, [this] { setTextShown(true); });
    connect(cover_, &QPushButton::clicked, this, &LessonPage::coverAnswers);
    connect(frame(), &BoardFrame::boardUncovered, this, [this] {
        uncovered_ = true;
        renewCover();
        emit changed();
    });
    auto* key = new QShortcut(QKeySequence(Qt::Key_T), this);
    key->setContext(Qt::WidgetWithChildrenShortcut);
    connect(key, &QShortcut::activated, this, [this] { setTextShown(!text_shown_); });
    parts()->insertWidget(1, show_text_, 0, Qt::AlignTop);
    show_text_->hide();
    show_text_->setText(QStringLiteral("▸"));
    show_text_->setAccessibleName(tr("Show the text"));
    show_text_->setToolTip(show_text_->accessibleName());
    addTool(cover_);
    cover_->setText(tr("Cover the answers"));
    cover_->setToolTip(tr("Forgets the answers of this lesson: its boards are covered again"));
    connect(frame(), &BoardFrame::computed, this, &LessonPage::renewText);
    connect(frame(), &BoardFrame::changed, this, [this] {
        panel_->setChanged(frame()->model().isChanged());
        emit changed();
    });
    workspace_->setText(tr("Open in the workspace"));
    workspace_->setToolTip(tr("Takes the inputs and settings on show into your own workspace"));
}

void LessonPage::open(LessonPtr lesson, const QString& heading, StepPanel::NextTarget next_target) {
    lesson_ = std::move(lesson);
    next_target_ = next_target;
    progress_ = lessonProgress(lesson_->key());
    setHeading(heading);
    if (lesson_->isLecture()) { // it is given anew
        progress_.answers.clear();
        progress_.tries.clear();
    }
    step_ = -1;
    showStep(isFinished(*lesson_, progress_) ? 0 : lesson_->stepCalled(progress_.step));
}

void LessonPage::restoreState(State state, const QString& heading) {
    lesson_ = std::move(state.lesson);
    if (!lesson_)
        return;
    step_ = state.step;
    next_target_ = state.next_target;
    progress_ = lessonProgress(lesson_->key());
    setHeading(heading);
    frame()->restoreModel(std::move(state.model));
    pending_ = state.pending;
    showTexts();
}

void LessonPage::close() {
    measuring_.cancel();
    discardTextResult();
    lesson_.reset();
    frame()->clear();
}

void LessonPage::showStep(int step) {
    if (!lesson_ || step < 0 || step >= lesson_->stepCount() || step == step_)
        return;
    step_ = step;
    move_ = 0;
    uncovered_ = false;
    pending_.clear();
    reveals_right_ = false;
    discardTextResult();
    progress_.step = lesson_->stepId(step);
    progress_.seen.insert(progress_.step);
    frame()->begin(lesson_->scene(step), lesson_->view(step), askingView());
    showTexts();
    if (isPresenting())
        fitBoard();
    // The board and the options are new: the focused widget may be deleted.
    if (!panel_->backButton()->hasFocus())
        panel_->nextButton()->setFocus();
    emit changed();
}

/// The planned minutes of the step in a lecture; empty for a lesson.
QString LessonPage::times() const {
    if (!lesson_->isLecture() || isPresenting()) // the plan is for the presenter
        return {};
    const auto clock = [](double minutes) {
        const int seconds = static_cast<int>(std::lround(60.0 * minutes));
        return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
    };
    const double to = step_ + 1 < lesson_->stepCount() ? lesson_->minute(step_ + 1) : lesson_->minutes();
    return tr("%1 to %2", "times").arg(clock(lesson_->minute(step_)), clock(to));
}

void LessonPage::showTexts() {
    showNavigation();
    panel_->begin(step_, lesson_->stepTitle(step_), lesson_->formula(step_));
    remember();
    panel_->setNextTarget(step_ + 1 < lesson_->stepCount() ? StepPanel::NextTarget::Step : next_target_);
    panel_->setChanged(frame()->model().isChanged());
    renewText(); // the result may be ready: the scene may equal the previous step's
    measureLater();
    renewCover();
}

void LessonPage::next() {
    if (!lesson_)
        return;
    if (panel_->turnPage(1)) {
        emit changed();
        return;
    }
    if (turnBoard(1) || play())
        return;
    if (asksOnStage()) {
        if (panel_->question()->hasHint())
            answer(progress_.tries.value(lesson_->stepId(step_)));
        else
            revealRightOption();
        return;
    }
    if (step_ + 1 < lesson_->stepCount())
        showStep(step_ + 1);
    else if (!isAtEnd())
        emit finished();
}

bool LessonPage::isAtEnd() const { return isPresenting() && lesson_->isLecture() && step_ + 1 == lesson_->stepCount(); }

/// A presentation shows neither the plan nor, at the end of a lecture, a way to the list.
void LessonPage::showNavigation() {
    if (!lesson_)
        return;
    panel_->setTimes(times());
    auto* next = panel_->nextButton();
    if (isAtEnd() && next->hasFocus())
        panel_->backButton()->setFocus();
    next->setVisible(!isAtEnd());
}

std::vector<lessons::Move> LessonPage::movesLeft() const {
    const auto& moves = lesson_->moves(step_);
    std::vector<lessons::Move> left(moves.begin() + static_cast<std::ptrdiff_t>(std::min(move_, moves.size())),
                                    moves.end());
    if (progress_.answers.contains(lesson_->stepId(step_)))
        std::erase_if(left, [](const lessons::Move& move) { return !move.answer.empty(); });
    return left;
}

bool LessonPage::play() {
    const auto left = movesLeft();
    if (left.empty())
        return false;
    const auto& move = left.front();
    move_ = lesson_->moves(step_).size() - left.size() + 1;
    auto& model = frame()->model();
    if (!move.answer.empty())
        answer(QString::fromStdString(move.answer));
    if (move.draw)
        model.setDraw(*move.draw);
    if (move.at)
        model.setTrainingStep(*move.at);
    if (!move.stage.empty()) {
        auto view = model.view();
        view.stage = move.stage;
        model.setView(std::move(view));
    }
    return true;
}

bool LessonPage::turnBoard(int by) {
    if (!isPresenting() || !frame()->board() || !frame()->board()->turnPage(by))
        return false;
    emit changed();
    return true;
}

bool LessonPage::asksOnStage() const {
    return isPresenting() && lesson_->hasQuestion(step_) && !progress_.answers.contains(lesson_->stepId(step_)) &&
           (measured_ ? std::ranges::any_of(question_.options, &QuestionOption::right) : measuring_.isRunning());
}

void LessonPage::revealRightOption() {
    const auto right = std::ranges::find_if(question_.options, &QuestionOption::right);
    if (right != question_.options.end())
        answer(right->id);
    else
        reveals_right_ = !measured_ && measuring_.isRunning();
}

/// Shows the page of the board with what the right option is about.
void LessonPage::turnToAnswer() {
    const auto& model = frame()->model();
    const auto right = std::ranges::find_if(question_.options, &QuestionOption::right);
    if (frame()->board() && model.result() && right != question_.options.end())
        frame()->board()->turnToCards(
            lesson_->cardsOf(step_, right->id, model.view(), model.computedScene(), *model.result()));
}

void LessonPage::back() {
    if (turnBoard(-1))
        return;
    if (panel_->turnPage(-1)) {
        emit changed();
        return;
    }
    showStep(step_ - 1);
    // The text goes on with the answer, so the picture does, too.
    if (isPresenting() && progress_.answers.contains(lesson_->stepId(step_))) {
        reveal();
        turnToAnswer();
    }
}

void LessonPage::reset() {
    if (!lesson_)
        return;
    frame()->model().reset();
    move_ = 0;
    panel_->setChanged(false);
    progress_.answers.remove(lesson_->stepId(step_));
    progress_.tries.remove(lesson_->stepId(step_));
    pending_.clear();
    uncovered_ = false;
    remember();
    renewQuestion();
    renewCover();
    emit changed();
}

bool LessonPage::isChanged() const {
    if (!lesson_)
        return false;
    const QString id = lesson_->stepId(step_);
    return frame()->model().isChanged() || progress_.answers.contains(id) || progress_.tries.contains(id);
}

QString LessonPage::stepText() const { return filledText(&Lesson::text); }

/// The numbers of a text are those of a result of its own step, or dots while there is none.
QString LessonPage::filledText(TextOfStep text) const {
    if (!lesson_)
        return {};
    const auto& lesson = *lesson_;
    const auto& model = frame()->model();
    if (!model.result())
        return (lesson.*text)(step_, lesson.scene(step_), nullptr);
    if (!settingsDifferFromLesson())
        return (lesson.*text)(step_, model.computedScene(), model.result().get());
    const auto scene = sceneOfLessonText();
    return (lesson.*text)(step_, scene, scene == text_scene_ ? written_.get() : nullptr);
}

PresenterNotes LessonPage::presenterNotes() const {
    if (!lesson_)
        return {};
    PresenterNotes notes;
    notes.title = lesson_->stepTitle(step_);
    notes.position = panel_->positionText();
    notes.text = filledText(&Lesson::notes);
    if (!question_.text.isEmpty())
        notes.text += QStringLiteral("\n\n") + tr("**Question:** %1").arg(question_.text) + QStringLiteral("\n\n") +
                      tr("**Answer:** %1").arg(question_.notes);
    const bool last = step_ + 1 == lesson_->stepCount();
    if (!last)
        notes.next = lesson_->stepTitle(step_ + 1);
    const auto left = movesLeft();
    if (panel_->page() + 1 < panel_->pageCount())
        notes.press = tr("the next page of the text");
    else if (isPresenting() && frame()->board() && frame()->board()->hasNextPage())
        notes.press = tr("the next page of the board");
    else if (!left.empty())
        notes.press = left.front().answer.empty() ? tr("a change on the board") : tr("the answer");
    else if (asksOnStage())
        notes.press = tr("the answer");
    else if (!last)
        notes.press = tr("the next step");
    notes.from = lesson_->minute(step_);
    notes.to = lesson_->minute(step_ + 1);
    notes.all = lesson_->minutes();
    return notes;
}

/// The text is about the settings of the lesson, also when a card has another one now.
bool LessonPage::settingsDifferFromLesson() const {
    return frame()->model().computedScene().settings != lesson_->scene(step_).settings;
}

/// The settings of the lesson on the inputs on show.
lab::Scene LessonPage::sceneOfLessonText() const {
    auto scene = frame()->model().computedScene();
    scene.settings = lesson_->scene(step_).settings;
    return scene;
}

void LessonPage::discardTextResult() {
    text_job_.cancel();
    text_scene_ = {};
    written_.reset();
}

void LessonPage::computeTextResult() {
    auto scene = sceneOfLessonText();
    if (scene == text_scene_)
        return;
    text_scene_ = scene;
    written_.reset();
    text_job_.request([scene = std::move(scene)](const RunControl& control) -> SceneResultPtr {
        return std::make_shared<const lab::SceneResult>(lab::compute(scene, control));
    });
}

void LessonPage::renewText() {
    if (!lesson_)
        return;
    const auto& model = frame()->model();
    if (model.result() && settingsDifferFromLesson())
        computeTextResult();
    panel_->setBody(stepText());
    auto words = lesson_->cardWords(step_, model.computedScene(), model.result().get());
    // The words of a card may compare it with the others, so they hold for the lesson's settings of all cards.
    if (settingsDifferFromLesson())
        words.clear();
    frame()->setWords(words);
}

/// The engine's result for the options is that of the original step, regardless of changes by the user.
void LessonPage::measureLater() {
    measured_ = false;
    measuring_.cancel();
    question_ = lesson_->question(step_);
    if (lesson_->hasQuestion(step_))
        measuring_.request([lesson = lesson_, step = step_, language = currentLanguage()](const RunControl& control) {
            return lesson->measuredQuestion(step, language, control);
        });
    renewQuestion();
}

/// A choice is judged once the engine has determined the right one.
void LessonPage::renewQuestion() {
    if (!lesson_)
        return;
    const QString id = lesson_->stepId(step_);
    auto question = question_;
    if (question.hint.isEmpty())
        question.hint = tr("Not that one. Look at the picture again.");
    if (measured_)
        panel_->setQuestion(question, progress_.answers.value(id), progress_.tries.value(id));
    else
        panel_->setQuestion(question, {});
}

/// A first wrong choice leaves a second one. Of two options, only if the lesson has a hint: the other one is right.
void LessonPage::choose(const QString& option) {
    const QString id = lesson_->stepId(step_);
    const bool answered = progress_.answers.contains(id);
    if (!measured_ && !answered) {
        pending_ = option;
        return;
    }
    const auto is_right = [&](const QuestionOption& one) { return one.id == option && one.right; };
    constexpr std::size_t fewest = 3;
    const bool second = question_.options.size() >= fewest || !question_.hint.isEmpty();
    if (answered || progress_.tries.contains(id) || !second || std::ranges::any_of(question_.options, is_right)) {
        answer(option);
        return;
    }
    progress_.tries.insert(id, option);
    remember();
    renewQuestion();
    renewCover();
    emit changed();
}

/// Reveals the answer; `option` is the choice.
void LessonPage::answer(const QString& option) {
    const bool first = !progress_.answers.contains(lesson_->stepId(step_));
    progress_.answers.insert(lesson_->stepId(step_), option);
    remember();
    renewQuestion();
    if (first)
        reveal();
    renewCover();
    if (first && isPresenting())
        turnToAnswer();
    emit changed();
}

/// Moves the board to what the question asked about.
void LessonPage::reveal() {
    auto& model = frame()->model();
    if (const auto scene = lesson_->revealedScene(step_); !(scene == lesson_->scene(step_)))
        model.setDraw(*scene.draw);
    if (const auto& view = lesson_->revealedView(step_); !(view == lesson_->view(step_)))
        model.setView(view);
}

std::optional<lab::BoardSpec> LessonPage::askingView() const {
    const bool answered = progress_.answers.contains(lesson_->stepId(step_));
    if (answered || uncovered_ || !lesson_->coversBoard(step_))
        return std::nullopt;
    return lesson_->askingView(step_);
}

void LessonPage::renewCover() {
    frame()->setCover(askingView());
    workspace_->setEnabled(canBeTaken());
    if (isPresenting())
        fitBoard();
    cover_->setEnabled(!progress_.answers.isEmpty() || !progress_.tries.isEmpty());
}

void LessonPage::coverAnswers() {
    if (!lesson_)
        return;
    progress_.answers.clear();
    progress_.tries.clear();
    reset();
}

void LessonPage::setTextShown(bool shown) {
    text_shown_ = shown;
    panel_->setVisible(shown);
    show_text_->setVisible(!shown);
    (shown ? panel_->nextButton() : show_text_)->setFocus();
    if (isPresenting())
        fitBoard();
}

void LessonPage::setPresenting(bool on) {
    panel_->setFitting(on ? fittedWidth() : 0);
    BoardPage::setPresenting(on);
    showNavigation();
}

int LessonPage::fittedWidth() const {
    constexpr double text_share = 0.34;
    return static_cast<int>(text_share * width());
}

void LessonPage::resizeEvent(QResizeEvent* event) {
    if (isPresenting())
        panel_->setFitting(fittedWidth());
    BoardPage::resizeEvent(event);
}

void LessonPage::remember() {
    setLessonProgress(lesson_->key(), progress_);
    std::vector<bool> seen;
    QStringList titles;
    for (int step = 0; step < lesson_->stepCount(); ++step) {
        seen.push_back(progress_.seen.contains(lesson_->stepId(step)));
        titles << lesson_->stepTitle(step);
    }
    panel_->setSteps(seen, titles);
}

/// The costs of a cache come from no arrays, and a covered board would be open elsewhere.
bool LessonPage::canBeTaken() const {
    const auto& scene = frame()->model().scene();
    return lesson_ && !frame()->isCovered() && !scene.cache && !scene.settings.empty();
}

std::optional<WorkspaceScene> LessonPage::workspaceScene() const {
    const auto& model = frame()->model();
    if (!lesson_ || !model.result() || !canBeTaken())
        return std::nullopt;
    const auto& scene = model.scene();
    const auto& first = scene.settings.front();
    const TensorMap drawn = scene.draw ? lab::draw_inputs(*scene.draw) : TensorMap();
    WorkspaceScene taken{lab::problem_of(scene, first, drawn), lesson_->title(),
                         QString::fromStdString(model.view().stage)};
    // The workspace compares two settings of the same inputs.
    if (scene.settings.size() > 1 && scene.settings[1].tensors == first.tensors)
        taken.problem.compared_with = scene.settings[1].spec;
    return taken;
}

} // namespace attnlab::ui
