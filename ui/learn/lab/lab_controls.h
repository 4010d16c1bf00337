// The controls above the cards, for the scene as a whole: sizes, distribution and training.
#pragma once

#include "core/lab/board.h"

#include <QTimer>
#include <QWidget>
#include <vector>

class QComboBox;
class QPushButton;
class QToolButton;

namespace attnlab::ui {

class InputsEditor;
class SceneModel;
class TrainingControl;
class ValueSlider;

/// Edits the model; shows only the controls that its view enables, and hides itself if there are none.
class LabControls : public QWidget {
    Q_OBJECT
public:
    explicit LabControls(SceneModel& model, QWidget* parent = nullptr);

    ValueSlider* width() const { return width_; }
    ValueSlider* keys() const { return keys_; }
    TrainingControl* training() const { return training_; }
    QComboBox* distribution() const { return distribution_; }
    QPushButton* drawAgain() const { return draw_again_; }
    QComboBox* stage() const { return stage_; }
    QComboBox* head() const { return head_; }
    QComboBox* token() const { return token_; }
    QPushButton* inputs() const { return inputs_; }
    QPushButton* addCard() const { return add_card_; }
    QToolButton* parts() const { return parts_; }

signals:
    void addCardRequested();

public slots:
    void refresh();

private:
    void build();
    void connectParts();
    QWidget* labelled(const QString& text, QComboBox* field, const QString& name);
    void showDraw();
    void showSlices();
    void showToken();
    void listParts();
    void togglePart(lab::BoardPart part);
    void changeDraw(const std::function<void(lab::RandomInputs&)>& change);
    void changeView(const std::function<void(lab::BoardSpec&)>& change);

    SceneModel& model_;
    ValueSlider* width_;
    ValueSlider* keys_;
    TrainingControl* training_;
    QComboBox* distribution_;
    QPushButton* draw_again_;
    QComboBox* stage_;
    QComboBox* head_;
    QComboBox* token_;
    QPushButton* inputs_;
    InputsEditor* inputs_editor_;
    QPushButton* add_card_;
    QToolButton* parts_;
};

// The steps of a training: a button that runs them, and a slider.

/// Shown where the view makes the steps live. A run takes a few seconds, computes in the background and ends when it is
/// stopped, when the scene changes otherwise, or at the last step.
class TrainingControl : public QWidget {
    Q_OBJECT
public:
    explicit TrainingControl(SceneModel& model, QWidget* parent = nullptr);

    QPushButton* button() const { return button_; }
    ValueSlider* step() const { return step_; }
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
    ValueSlider* step_;
    QTimer timer_;
    int shown_ = 0;
};

} // namespace attnlab::ui
