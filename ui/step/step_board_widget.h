// The widget behind makeStepBoard.
#pragma once

#include "core/lab/board.h"
#include "ui/lab/board.h"

#include <optional>

class QLabel;

namespace attnlab::ui {

class MarkdownLabel;
class StepView;

class StepBoard : public Board {
    Q_OBJECT
public:
    explicit StepBoard(SceneModel& model, QWidget* parent = nullptr);

    void setWords(const QMap<QString, QString>& words) override;
    std::shared_ptr<const Drawing> picture() const override;

    StepView* steps() const { return steps_; }
    /// What the text says beside the setting, or why there is nothing to walk; empty: nothing.
    QString words() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    std::size_t settingIndex() const;
    void showResult();
    void showView();
    void showWords();
    void tellModel();

    SceneModel& model_;
    StepView* steps_;
    MarkdownLabel* words_label_;
    QLabel* problem_;
    QMap<QString, QString> words_;
    /// The view that is on show: what the model says beyond it is followed.
    std::optional<lab::BoardView> shown_;
    bool telling_ = false;
    bool begins_ = true; ///< the step of view().at is still to be shown
};

} // namespace attnlab::ui
