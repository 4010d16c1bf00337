#include "ui/learn/lab/step_board.h"

#include "ui/learn/lab/lab_controls.h"
#include "ui/learn/lab/scene_model.h"
#include "ui/pages/step/step_view.h"

#include <QVBoxLayout>

namespace attnlab::ui {

StepBoard::StepBoard(SceneModel& model, QWidget* parent) : SettingBoard(model, parent), steps_(new StepView(this)) {
    column()->insertWidget(0, new LabControls(model, this));
    setPage(steps_);
    connect(&model, &SceneModel::viewChanged, this, &StepBoard::showView);
    connect(steps_, &StepView::queryChosen, this, &StepBoard::tellModel);
    connect(steps_, &StepView::keyChosen, this, &StepBoard::tellModel);
    showView();
}

void StepBoard::showTrace(std::shared_ptr<const Trace> trace) {
    const lab::BoardSpec& view = model().view();
    StepPass pass;
    if (!view.cards.empty()) {
        pass.batch = static_cast<int>(view.cards.front().batch);
        pass.head = static_cast<int>(view.cards.front().head.value_or(0));
    }
    steps_->setPass(std::move(trace), pass);
    // The previous scene may have had fewer rows and other steps.
    steps_->setQuery(static_cast<int>(view.query));
    if (view.pin)
        steps_->setKey(static_cast<int>(view.pin->key));
    if (begins_ && steps_->hasExhibit()) {
        steps_->setStep(QString::fromStdString(view.at));
        begins_ = model().isComputing();
    }
}

QString StepBoard::whyNothing() const {
    return tr("This mechanism does not go from scores to weights to the output in one pass: there is no row to walk.");
}

void StepBoard::showView() {
    if (telling_)
        return;
    const lab::BoardSpec& view = model().view();
    begins_ = begins_ || !shown_ || shown_->at != view.at || shown_->setting != view.setting;
    shown_ = view;
    steps_->setQueryFixed(!view.is_live(lab::BoardControl::Query));
    refresh();
}

/// Stores the choices in the model, so that it can detect and reset changes.
void StepBoard::tellModel() {
    lab::BoardSpec view = model().view();
    view.query = steps_->query();
    view.pin = lab::BoardCell{steps_->query(), steps_->key()};
    shown_ = view;
    telling_ = true;
    model().setView(std::move(view));
    telling_ = false;
}

} // namespace attnlab::ui
