// An exhibit of one setting of a scene: tiles, pages, buckets or a curve.
#pragma once

#include "ui/document/view_state.h"
#include "ui/learn/lab/setting_board.h"

namespace attnlab::ui {

class ExhibitBoard : public SettingBoard {
    Q_OBJECT
public:
    explicit ExhibitBoard(SceneModel& model, QWidget* parent = nullptr);

protected:
    void showTrace(std::shared_ptr<const Trace> trace) override;
    QString whyNothing() const override;

private:
    ViewState view_;
};

} // namespace attnlab::ui
