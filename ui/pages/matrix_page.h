// The chosen matrix, enlarged: a stage of a trace, or the weights of a large problem as a map.
#pragma once

#include "core/map/attention_map.h"
#include "ui/document/view_state.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/pages/matrix_header.h"
#include "ui/pages/page.h"

#include <QStringList>

class QComboBox;
class QLineEdit;
class QPushButton;
class QStackedLayout;

namespace attnlab::ui {

class ColorsButton;
class ScaleChip;
class LargeInputs;
struct MapPicture;
class RangeBar;

/// The heatmap below its MatrixHeader. Reads and writes the ViewState.
class MatrixPage : public Page {
    Q_OBJECT
public:
    /// Shows the map of `large` while it is open; may be null.
    explicit MatrixPage(ViewState& view, LargeInputs* large = nullptr, QWidget* parent = nullptr);

    /// Shows the chosen stage, or if the trace lacks it, the weights or the last step.
    void setTrace(ComputedPtr computed) override;
    /// What the next trace is of: whether its weights have a view depends on its arrays.
    void setProblem(const AttentionProblem& problem) { problem_ = problem; }
    QWidget* header() const override { return header_; }
    /// The header is then one line, without buttons whose commands are in the menu.
    void setLow(bool low) override;
    bool canZoom() const override { return true; }
    void zoom(Zoom how) override { Page::zoom(*heatmap_, how); }
    QString copyMatrix() override;
    QString copyPicture() override;

    HeatmapView* heatmap() const { return heatmap_; }
    /// Hides the head picker, while heads are chosen elsewhere.
    void setHeadsBeside(bool beside);

    RangeBar* rangeBar() const;
    /// Above the colour bar while its range is held.
    ScaleChip* scaleChip() const { return held_; }
    ColorsButton* colorsButton() const { return header_->colorsButton(); }
    QComboBox* batchPicker() const { return header_->batchPicker(); }
    QComboBox* headPicker() const { return header_->headPicker(); }
    /// How a pixel summarizes its cells.
    QComboBox* poolPicker() const { return header_->poolPicker(); }
    /// Views of the weights; hidden while another stage is shown.
    QComboBox* viewPicker() const { return header_->viewPicker(); }
    QLineEdit* jumpField() const;
    /// Computes a cancelled map; hidden otherwise.
    QPushButton* computeButton() const { return cancelled_->button(); }

    /// The displayed stage; null if there is none.
    const Stage* shownStage() const;
    /// The chosen head or mean_of_heads; the last one if there are fewer heads.
    int shownHead() const;
    /// "weights · head 2": also the title of an exported figure.
    QString title() const override;
    /// Beside the title, elided: the hovered cell and its exact value, or the formula.
    QString subtitle() const;
    /// Shown instead of the heatmap; empty if there is one.
    QString emptyText() const;
    /// Above a cancelled map: that it is incomplete; empty otherwise.
    QString cancelledText() const;

signals:
    /// As AttentionSpec::view, for the pass of the shown stage: "no_sink"; empty: the weights as they are.
    void viewChosen(const QString& view);

protected:
    std::optional<NamedMatrix> shownMatrix() const override;
    std::optional<StyledFigure> shownFigure() const override;
    std::optional<ExportSubject> exportSubject() const override;
    std::string markedStage() const override;
    void paintEvent(QPaintEvent* event) override;

private:
    void build();
    void connectAll();
    void connectMap();
    void refresh();
    void refreshStage();
    void refreshMap();
    void refreshMapColors();
    void refreshMapState();
    void refreshPickers();
    void refreshViews();
    void refreshTitle();
    void refreshSubtitle();
    bool showsMap() const;
    CellRect visibleCellRange() const;
    QString copyVisibleCells();
    std::optional<ExportSubject> exportedMap() const;
    /// Light, whatever the theme: it is for other programs.
    MapPicture mapPicture() const;
    void jump();

    ViewState& view_;
    LargeInputs* large_;
    ComputedPtr computed_;
    AttentionProblem problem_;
    bool heads_beside_ = false;
    MatrixHeader* header_;
    HeatmapView* heatmap_;
    ScaleChip* held_;
    QWidget* empty_; ///< the page without a picture
    StateBox* empty_words_;
    StateBox* cancelled_; ///< that a map is incomplete
    QStackedLayout* pages_;
};

} // namespace attnlab::ui
