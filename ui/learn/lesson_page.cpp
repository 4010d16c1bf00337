#include "ui/learn/lesson_page.h"

#include "ui/elided_label.h"
#include "ui/lab/board.h"
#include "ui/label.h"
#include "ui/language.h"
#include "ui/learn/board_frame.h"
#include "ui/learn/step_dots.h"
#include "ui/mechanism/row_button.h"
#include "ui/scroll_room.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QtConcurrent>
#include <QVBoxLayout>

namespace attnlab::ui {

LessonPage::LessonPage(QWidget* parent)
    : QWidget(parent), list_(new RowButton(this)), heading_(new ElidedLabel(this)), workspace_(new RowButton(this)),
      present_(new RowButton(this)), panel_(new StepPanel(this)), frame_(new BoardFrame(this)) {
    auto* parts = new QHBoxLayout;
    parts->setSpacing(8);
    parts->addWidget(panel_);
    parts->addWidget(new ScrollRoom(frame_, ScrollRoom::Scrolls::Both, this), 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 0, 8, 8);
    column->addWidget(makeHeader());
    column->addLayout(parts, 1);

    connect(panel_, &StepPanel::nextRequested, this, &LessonPage::next);
    connect(panel_, &StepPanel::backRequested, this, &LessonPage::back);
    connect(panel_, &StepPanel::stepRequested, this, &LessonPage::showStep);
    connect(panel_, &StepPanel::resetRequested, this, &LessonPage::resetStep);
    connect(panel_, &StepPanel::optionChosen, this, &LessonPage::choose);
    connect(frame_, &BoardFrame::computed, this, &LessonPage::renewText);
    connect(frame_, &BoardFrame::failed, this, &LessonPage::failed);
    connect(frame_, &BoardFrame::changed, this, [this] {
        panel_->setChanged(frame_->model().isChanged());
        emit stepChanged();
    });
    connect(&measuring_, &QFutureWatcher<StepQuestion>::finished, this, [this] {
        if (!lesson_)
            return;
        question_ = measuring_.result();
        measured_ = true;
        renewQuestion();
    });
    retranslate();
}

LessonPage::~LessonPage() {
    measuring_.disconnect(this);
    measuring_.waitForFinished();
}

QWidget* LessonPage::makeHeader() {
    auto* header = new QWidget(this);
    header->setObjectName(QStringLiteral("header"));
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    QFont bold = heading_->font();
    bold.setBold(true);
    heading_->setFont(bold);
    row->addWidget(list_);
    row->addWidget(heading_, 1);
    row->addWidget(workspace_);
    row->addWidget(present_);
    connect(list_, &QPushButton::clicked, this, &LessonPage::listRequested);
    connect(workspace_, &QPushButton::clicked, this, &LessonPage::workspaceRequested);
    connect(present_, &QPushButton::clicked, this, &LessonPage::presentationRequested);
    return header;
}

void LessonPage::open(LessonPtr lesson, const QString& heading, StepPanel::Onward onward) {
    lesson_ = std::move(lesson);
    onward_ = onward;
    progress_ = lessonProgress(lesson_->key());
    setHeading(heading);
    const int last = lesson_->stepCalled(progress_.step);
    const bool finished = last == lesson_->stepCount() - 1 && progress_.seen.size() >= lesson_->stepCount();
    step_ = -1;
    showStep(finished ? 0 : last);
}

void LessonPage::setHeading(const QString& heading) { heading_->setText(heading); }

void LessonPage::close() {
    lesson_.reset();
    frame_->clear();
}

void LessonPage::showStep(int step) {
    if (!lesson_ || step < 0 || step >= lesson_->stepCount() || step == step_)
        return;
    step_ = step;
    progress_.step = lesson_->stepId(step);
    progress_.seen.insert(progress_.step);
    panel_->begin(step, lesson_->stepTitle(step), lesson_->formula(step));
    remember();
    panel_->setOnward(step + 1 < lesson_->stepCount() ? StepPanel::Onward::Step : onward_);
    frame_->begin(lesson_->scene(step), lesson_->view(step));
    panel_->setChanged(false);
    renewText(); // the scene may be that of the step before, and its numbers are there
    // The board and the options are new: what had the focus may be gone.
    if (!panel_->backButton()->hasFocus())
        panel_->nextButton()->setFocus();
    measureLater();
    emit stepChanged();
}

void LessonPage::next() {
    if (!lesson_)
        return;
    if (step_ + 1 < lesson_->stepCount())
        showStep(step_ + 1);
    else
        emit finished();
}

void LessonPage::back() { showStep(step_ - 1); }

void LessonPage::resetStep() {
    if (!lesson_)
        return;
    frame_->model().reset();
    panel_->setChanged(false);
    progress_.answers.remove(lesson_->stepId(step_));
    remember();
    renewQuestion();
    emit stepChanged();
}

bool LessonPage::isChanged() const {
    return lesson_ && (frame_->model().isChanged() || progress_.answers.contains(lesson_->stepId(step_)));
}

QString LessonPage::stepText() const {
    if (!lesson_)
        return {};
    const auto& model = frame_->model();
    return lesson_->text(step_, model.computedScene(), model.result().get());
}

void LessonPage::renewText() {
    if (!lesson_)
        return;
    panel_->setBody(stepText());
    const auto& model = frame_->model();
    frame_->setWords(lesson_->cardWords(step_, model.computedScene(), model.result().get()));
}

/// What the engine says about the options belongs to the step as it is written, whatever the reader has moved since.
void LessonPage::measureLater() {
    measured_ = false;
    if (!lesson_->hasQuestion(step_)) {
        question_ = {};
        renewQuestion();
        return;
    }
    question_ = lesson_->question(step_);
    measuring_.setFuture(QtConcurrent::run([lesson = lesson_, step = step_, language = currentLanguage()] {
        return lesson->measuredQuestion(step, language);
    }));
    renewQuestion();
}

/// A choice is revealed once the engine has said which one is right.
void LessonPage::renewQuestion() {
    const bool known = lesson_ && measured_;
    panel_->setQuestion(question_, known ? progress_.answers.value(lesson_->stepId(step_)) : QString());
}

void LessonPage::choose(const QString& option) {
    progress_.answers.insert(lesson_->stepId(step_), option);
    remember();
    renewQuestion();
    emit stepChanged();
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

std::optional<WorkspaceScene> LessonPage::workspaceScene() const {
    const auto& model = frame_->model();
    if (!lesson_ || !model.result() || model.scene().settings.empty())
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

void LessonPage::retranslate() {
    list_->setText(tr("◂ Lessons"));
    list_->setAccessibleName(tr("All lessons"));
    workspace_->setText(tr("Open in the workspace"));
    workspace_->setToolTip(tr("Takes the inputs and settings on show into your own workspace"));
    present_->setText(tr("Present"));
    present_->setToolTip(tr("Full screen with larger type; Escape leaves"));
    if (!lesson_)
        return;
    panel_->setTitle(lesson_->stepTitle(step_));
    remember();
    renewText();
}

void LessonPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::LanguageChange)
        return;
    retranslate();
    if (lesson_)
        measureLater();
}

} // namespace attnlab::ui
