// The step-through as a board of lessons and labs.
#pragma once

#include "ui/learn/lab/setting_board.h"

#include <optional>

namespace attnlab::ui {

class StepView;

/// Shows the row view().query, starting at view().at; the key is that of view().pin.
class StepBoard : public SettingBoard {
    Q_OBJECT
public:
    explicit StepBoard(SceneModel& model, QWidget* parent = nullptr);

    StepView* steps() const { return steps_; }

protected:
    void showTrace(std::shared_ptr<const Trace> trace) override;
    QString whyNothing() const override;

private:
    void showView();
    void tellModel();

    StepView* steps_;
    /// The displayed view; only differences of the model's view are applied.
    std::optional<lab::BoardSpec> shown_;
    bool telling_ = false;
    bool begins_ = true; ///< the step of view().at is not shown yet
};

} // namespace attnlab::ui
