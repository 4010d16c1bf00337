#include "ui/learn/lab/training_control.h"

#include "ui/learn/lab/scene_model.h"
#include "ui/widgets/label.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int tick_milliseconds = 60;
constexpr int ticks = 60; ///< of a whole run

} // namespace

TrainingControl::TrainingControl(SceneModel& model, QWidget* parent)
    : QWidget(parent), model_(model), button_(new QPushButton(this)), number_(new QSpinBox(this)),
      slider_(new QSlider(Qt::Horizontal, this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    auto* label = new Label(tr("step"), this);
    label->setBuddy(number_);
    row->addWidget(button_);
    row->addWidget(label);
    row->addWidget(number_);
    row->addWidget(slider_, 1);
    number_->setAccessibleName(tr("Step of the training"));
    slider_->setAccessibleName(tr("Step of the training"));
    slider_->setMinimumWidth(10 * fontMetrics().height());
    button_->setToolTip(tr("Trains from the beginning and shows every stage of it; again to stop"));
    connect(button_, &QPushButton::clicked, this, &TrainingControl::runOrStop);
    connect(number_, &QSpinBox::valueChanged, this, [this](int step) {
        stop();
        model_.setTrainingStep(step);
    });
    connect(slider_, &QSlider::valueChanged, this, [this](int step) {
        stop();
        model_.setTrainingStep(step);
    });
    timer_.setInterval(tick_milliseconds);
    connect(&timer_, &QTimer::timeout, this, &TrainingControl::advance);
    showButton();
}

void TrainingControl::refresh() {
    const auto& training = model_.scene().training;
    setVisible(training && model_.view().is_live(lab::BoardControl::Steps));
    if (!training)
        return;
    const int most = static_cast<int>(training->steps), at = static_cast<int>(training->at);
    if (isRunning() && at != shown_)
        stop(); // another control has changed the step
    shown_ = at;
    const QSignalBlocker quiet_number(number_), quiet_slider(slider_);
    number_->setRange(0, most);
    slider_->setRange(0, most);
    number_->setValue(at);
    slider_->setValue(at);
}

void TrainingControl::hideEvent(QHideEvent* event) {
    stop();
    QWidget::hideEvent(event);
}

void TrainingControl::runOrStop() {
    if (isRunning()) {
        stop();
        return;
    }
    shown_ = 0;
    model_.setTrainingStep(0);
    timer_.start();
    showButton();
}

void TrainingControl::stop() {
    timer_.stop();
    showButton();
}

/// Waits for the picture of the step before, so that none is left out.
void TrainingControl::advance() {
    const auto& training = model_.scene().training;
    if (!training || training->at >= training->steps) {
        stop();
        return;
    }
    if (model_.isComputing())
        return;
    const auto stride = std::max<std::int64_t>(1, training->steps / ticks);
    // Shows every step at the beginning, where the loss falls fastest.
    shown_ = static_cast<int>(std::min(training->steps, training->at + (training->at < 10 ? 1 : stride)));
    model_.setTrainingStep(shown_);
}

void TrainingControl::showButton() { button_->setText(isRunning() ? tr("Stop") : tr("Train")); }

} // namespace attnlab::ui
