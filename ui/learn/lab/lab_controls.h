// The controls above the cards, for the scene as a whole.
#pragma once

#include "core/lab/board.h"

#include <QWidget>

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
