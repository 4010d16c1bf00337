// The steps of a training: a button that lets them run, a slider, and the number.
#pragma once

#include <QTimer>
#include <QWidget>

class QPushButton;
class QSlider;
class QSpinBox;

namespace attnlab::ui {

class SceneModel;

/// Shown where the view makes the steps live. A run takes a few seconds, computes in the background and ends when it is
/// stopped, when the scene changes otherwise, or at the last step.
class TrainingControl : public QWidget {
    Q_OBJECT
public:
    explicit TrainingControl(SceneModel& model, QWidget* parent = nullptr);

    QPushButton* button() const { return button_; }
    QSpinBox* number() const { return number_; }
    QSlider* slider() const { return slider_; }
    bool isRunning() const { return timer_.isActive(); }

    /// Shows the model's step; hides itself where steps are not live.
    void refresh();

protected:
    void hideEvent(QHideEvent* event) override;

private:
    void runOrStop();
    void stop();
    void advance();
    void showButton();

    SceneModel& model_;
    QPushButton* button_;
    QSpinBox* number_;
    QSlider* slider_;
    QTimer timer_;
    int shown_ = 0;
};

} // namespace attnlab::ui
