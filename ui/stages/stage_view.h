// The chosen stage, large: the card in the centre of the window.
#pragma once

#include "ui/page.h"
#include "ui/plot/heatmap_view.h"
#include "ui/view_state.h"

class QComboBox;
class QLabel;
class QStackedLayout;
class QToolButton;

namespace attnlab::ui {

class ElidedLabel;
class RangeBar;

/// Title and formula, tools for colours, zoom, batch and head, and the heatmap. Reads and writes the ViewState alone.
class StageView : public Page {
    Q_OBJECT
public:
    explicit StageView(ViewState& view, QWidget* parent = nullptr);

    /// Shows the chosen stage, or the weights, or the last step where the trace has no such stage.
    void setTrace(ComputedPtr computed) override;
    bool canZoom() const override { return true; }
    void zoom(Zoom how) override { Page::zoom(*heatmap_, how); }

    HeatmapView* heatmap() const { return heatmap_; }
    RangeBar* rangeBar() const { return range_bar_; }
    QComboBox* batchPicker() const { return batch_; }
    QComboBox* headPicker() const { return head_; }

    /// The stage on show; null when there is none.
    const Stage* shownStage() const;
    /// The chosen head or MeanOfHeads; the last one where the trace has fewer heads.
    int shownHead() const;
    /// "weights · head 2": also the title of an exported figure.
    QString title() const override;
    /// Beside the title, cut where long: the hovered cell and its exact value, or the formula.
    QString subtitle() const;
    /// What stands in place of the heatmap; empty while there is one.
    QString emptyText() const;

protected:
    std::optional<NamedMatrix> shownMatrix() const override;
    std::optional<StyledFigure> shownFigure() const override;
    std::optional<ExportSubject> exportSubject() const override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void build();
    void connectAll();
    void retranslate();
    void refresh();
    void refreshPickers();
    void refreshTitle();
    void refreshSubtitle();
    QToolButton* zoomButton(const QString& icon_name, void (HeatmapView::*slot)());

    ViewState& view_;
    ComputedPtr computed_;
    QLabel* title_;
    ElidedLabel* formula_;
    RangeBar* range_bar_;
    QComboBox* batch_;
    QComboBox* head_;
    QToolButton* zoom_out_ = nullptr;
    QToolButton* fit_ = nullptr;
    QToolButton* zoom_in_ = nullptr;
    HeatmapView* heatmap_;
    QLabel* empty_;
    QStackedLayout* pages_;
};

} // namespace attnlab::ui
