// The step-through of the document: follows the ViewState.
#pragma once

#include "ui/document/view_state.h"
#include "ui/pages/step/step_view.h"

namespace attnlab::ui {

/// The row and key are those of the pinned cell, the pass that of the chosen stage.
class StepPage : public StepView {
    Q_OBJECT
public:
    explicit StepPage(ViewState& view, QWidget* parent = nullptr);

    void setTrace(ComputedPtr computed) override;

private:
    void refresh();
    /// True when the pinned cell is one of queries and keys.
    bool pinsKeys() const;
    void followPin();
    void pin();

    ViewState& view_;
    ComputedPtr computed_;
};

} // namespace attnlab::ui
