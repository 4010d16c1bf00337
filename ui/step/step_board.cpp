#include "ui/step/step_board.h"

#include "ui/lab/lab_controls.h"
#include "ui/lab/scene_model.h"
#include "ui/label.h"
#include "ui/markdown_label.h"
#include "ui/step/step_board_widget.h"
#include "ui/step/step_view.h"
#include "ui/text.h"
#include "ui/wrapped_label.h"

#include <QEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace attnlab::ui {

StepBoard::StepBoard(SceneModel& model, QWidget* parent)
    : Board(parent), model_(model), steps_(new StepView(this)), words_label_(new MarkdownLabel(this)),
      problem_(new Label(this)) {
    problem_->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(new LabControls(model, this));
    column->addWidget(words_label_);
    column->addWidget(problem_);
    column->addWidget(steps_, 1);
    connect(&model_, &SceneModel::computed, this, &StepBoard::showResult);
    connect(&model_, &SceneModel::viewChanged, this, &StepBoard::showView);
    connect(steps_, &StepView::queryChosen, this, &StepBoard::tellModel);
    connect(steps_, &StepView::keyChosen, this, &StepBoard::tellModel);
    showView();
}

/// Of what is computed, which may still be the scene before.
std::size_t StepBoard::settingIndex() const {
    const auto& settings = model_.computedScene().settings;
    const auto found = std::ranges::find(settings, model_.view().setting, &lab::SceneSetting::id);
    return found == settings.end() ? 0 : static_cast<std::size_t>(found - settings.begin());
}

void StepBoard::showResult() {
    const auto result = model_.result();
    const lab::BoardView& view = model_.view();
    const std::size_t index = settingIndex();
    TracePtr trace;
    if (result && index < result->settings.size() && !result->settings[index].error)
        trace = TracePtr(result, &result->settings[index].trace);
    StepPass pass;
    if (!view.cards.empty()) {
        pass.batch = static_cast<int>(view.cards.front().batch);
        pass.head = static_cast<int>(view.cards.front().head.value_or(0));
    }
    steps_->setPass(std::move(trace), pass);
    // A scene before this one may have had fewer rows and other steps.
    steps_->setQuery(static_cast<int>(view.query));
    if (view.pin)
        steps_->setKey(static_cast<int>(view.pin->key));
    if (begins_ && steps_->hasExhibit()) {
        steps_->setStep(QString::fromStdString(view.at));
        begins_ = model_.isComputing();
    }
    showWords();
}

void StepBoard::showView() {
    if (telling_)
        return;
    const lab::BoardView& view = model_.view();
    begins_ = begins_ || !shown_ || shown_->at != view.at || shown_->setting != view.setting;
    shown_ = view;
    steps_->setQueryFixed(!view.is_live("query"));
    showResult();
}

/// The model knows what was chosen here, so that it can tell a changed scene and take it back.
void StepBoard::tellModel() {
    lab::BoardView view = model_.view();
    view.query = steps_->query();
    view.pin = lab::BoardCell{steps_->query(), steps_->key()};
    shown_ = view;
    telling_ = true;
    model_.setView(std::move(view));
    telling_ = false;
}

void StepBoard::setWords(const QMap<QString, QString>& words) {
    words_ = words;
    showWords();
}

QString StepBoard::words() const {
    return !problem_->isHidden() ? problem_->text() : words_label_->isHidden() ? QString() : words_label_->source();
}

void StepBoard::showWords() {
    const std::size_t index = settingIndex();
    const auto& settings = model_.computedScene().settings;
    QString problem;
    if (const auto result = model_.result(); result && index < result->settings.size()) {
        if (const auto& error = result->settings[index].error)
            problem = translated(*error);
        else if (!steps_->hasExhibit())
            problem = tr("This mechanism does not go from scores to weights to the output in one pass: there is no row "
                         "to walk.");
    }
    words_label_->setSource(index < settings.size() ? words_.value(QString::fromStdString(settings[index].id))
                                                    : QString());
    words_label_->setVisible(problem.isEmpty() && !words_label_->source().isEmpty());
    problem_->setText(problem);
    problem_->setVisible(!problem.isEmpty());
}

std::shared_ptr<const Drawing> StepBoard::picture() const { return steps_->picture(); }

void StepBoard::changeEvent(QEvent* event) {
    Board::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        showWords();
}

Board* makeStepBoard(SceneModel& model, QWidget* parent) { return new StepBoard(model, parent); }

} // namespace attnlab::ui
