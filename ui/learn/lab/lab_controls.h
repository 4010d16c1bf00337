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
class SizeSlider;
class TrainingControl;

/// Edits the model; shows only the controls that its view enables, and hides itself if there are none.
class LabControls : public QWidget {
    Q_OBJECT
public:
    explicit LabControls(SceneModel& model, QWidget* parent = nullptr);

    SizeSlider* width() const { return width_; }
    SizeSlider* keys() const { return keys_; }
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
    SizeSlider* width_;
    SizeSlider* keys_;
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

} // namespace attnlab::ui

// A size from a few to thousands: a slider with a logarithmic scale, and the number.

class QLabel;
class QSlider;
class QSpinBox;

namespace attnlab::ui {

class SizeSlider : public QWidget {
    Q_OBJECT
public:
    SizeSlider(int least, int most, QWidget* parent = nullptr);

    /// The text before the number ("width d") and the accessible name.
    void setTitles(const QString& title, const QString& name);
    int value() const { return value_; }
    /// Does not emit changed().
    void setValue(int value);

    QSlider* slider() const { return slider_; }
    QSpinBox* number() const { return number_; }

signals:
    /// By the user.
    void changed(int value);

private:
    void show(int value);
    void choose(int value);
    int nearest(int value) const;

    std::vector<int> sizes_; ///< the slider's values: eight per doubling, or all integers if fewer
    int value_;
    QLabel* title_;
    QSpinBox* number_;
    QSlider* slider_;
};

} // namespace attnlab::ui

// The steps of a training: a button that lets them run, a slider, and the number.

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
