// The selected head, large, in one of several views, with the switch that takes it out of the model.
#pragma once

#include "ui/document/view_state.h"
#include "ui/model/head_effects.h"
#include "ui/model/head_view.h"
#include "ui/model/model_session.h"

#include <optional>
#include <QWidget>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace attnlab::ui {

class ArcsView;
class ColorsButton;
class DifferenceView;
class ElidedLabel;
class FlowLayout;
class HeadEffects;
class ImageView;
class RolloutView;
class SegmentSwitch;
class WeightsView;

class HeadPanel : public QWidget {
    Q_OBJECT
public:
    explicit HeadPanel(ModelSession& session, QWidget* parent = nullptr);

    /// Null: none.
    void setHead(const SelectedHeadPtr& head);
    void setRow(std::optional<int> query, const explain::Reading& reading);
    /// They live as long as the panel, which says what the head on show does to the answer.
    void setEffects(const HeadEffects* effects);
    QString effect() const;
    QString title() const;
    ElidedLabel* titleLine() const { return title_; }

    const HeadView* view() const { return current_; }
    /// Does nothing if the head has no such view.
    void show(HeadView* view);
    /// Shows the view `by` tabs further, round the end.
    void stepView(int by);
    WeightsView* weights() const { return weights_; }
    ArcsView* arcs() const { return arcs_; }
    RolloutView* rollout() const { return rollout_; }
    DifferenceView* difference() const { return difference_; }
    ImageView* image() const { return image_; }
    SegmentSwitch* tabs() const { return tabs_; }
    /// Where the views are.
    QStackedWidget* views() const { return stack_; }
    QPushButton* offButton() const { return off_; }
    QPushButton* allOnButton() const { return all_on_; }
    ColorsButton* colorsButton() const { return colors_; }
    QComboBox* offBy() const { return off_by_; }
    QString note() const;
    /// Without the lines about the head, which are a tooltip, and with a shorter button. `has_line`: they have one
    /// line.
    void setLow(bool low, bool has_line);

signals:
    void rowChosen(int query);
    void colorsChanged(const attnlab::ui::ColorChoice& colors);
    /// Another view is shown, or it has other numbers.
    void viewChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    void giveTitleRoom();
    void build();
    void showView(HeadView* next);
    void showTitle();
    void showOff();
    void showNote();
    void showColors();
    void showEffect();
    QString effectWords() const;
    QString message() const;

    ModelSession& session_;
    ViewState colors_state_; ///< for its colours only: the page has its own
    SelectedHeadPtr head_;
    std::optional<int> query_;
    explain::Reading reading_;
    WeightsView* weights_;
    ArcsView* arcs_;
    RolloutView* rollout_;
    DifferenceView* difference_;
    ImageView* image_;
    std::vector<HeadView*> views_; ///< in the order of the tabs
    HeadView *wanted_, *current_;  ///< the user's choice, and the visible view
    const HeadEffects* effects_ = nullptr;
    bool low_ = false, has_line_ = false, compares_texts_ = false;
    ElidedLabel *title_, *note_, *effect_;
    SegmentSwitch* tabs_;
    FlowLayout* tools_; ///< below the title
    QWidget* last_;     ///< below the views
    QStackedWidget* stack_;
    QPushButton *off_, *all_on_;
    QComboBox* off_by_;
    ColorsButton* colors_;
};

} // namespace attnlab::ui
