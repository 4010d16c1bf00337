// The chosen matrix, enlarged: a stage of a trace, or the weights of a large problem as a map.
#pragma once

#include "core/map/attention_map.h"
#include "ui/document/view_state.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/pages/page.h"

#include <QStringList>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedLayout;
class QToolButton;

namespace attnlab::ui {

class ColorsButton;
class ElidedLabel;
class LargeInputs;
class NotationLabel;
class RangeBar;

/// "1200, 34" or "1200" (a row), or token labels instead of numbers; nullopt for a number out of range or an unknown
/// token.
std::optional<Cell> cellOfText(const QString& text, const MatrixAxes& axes);

/// The heatmap below a header with title, formula, a field to jump to a cell, and controls for batch, head, colours and
/// zoom. Reads and writes the ViewState.
class MatrixPage : public Page {
    Q_OBJECT
public:
    /// Shows the map of `large` while it is open; may be null.
    explicit MatrixPage(ViewState& view, LargeInputs* large = nullptr, QWidget* parent = nullptr);

    /// Shows the chosen stage, or if the trace lacks it, the weights or the last step.
    void setTrace(ComputedPtr computed) override;
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
    ColorsButton* colorsButton() const { return colors_; }
    QComboBox* batchPicker() const { return batch_; }
    QComboBox* headPicker() const { return head_; }
    /// How a pixel summarizes its cells.
    QComboBox* poolPicker() const { return pool_; }
    QLineEdit* jumpField() const { return jump_; }
    /// Computes a cancelled map; hidden otherwise.
    QPushButton* computeButton() const { return compute_; }

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
    void setTexts();
    void refresh();
    void refreshStage();
    void refreshMap();
    void refreshMapColors();
    void refreshMapState();
    void refreshPickers();
    void refreshTitle();
    void refreshSubtitle();
    bool showsMap() const;
    CellRect cellsInSight() const;
    QString copyCellsInSight();
    std::optional<ExportSubject> exportedMap() const;
    void jump();
    QToolButton* zoomButton(const QString& icon_name, void (HeatmapView::*slot)());

    ViewState& view_;
    LargeInputs* large_;
    ComputedPtr computed_;
    bool heads_beside_ = false;
    QWidget* header_;
    ElidedLabel* title_;
    NotationLabel* formula_;
    ColorsButton* colors_;
    QComboBox* batch_;
    QComboBox* head_;
    QComboBox* pool_;
    QLineEdit* jump_;
    HeatmapView* heatmap_; ///< before the buttons, which call it
    QToolButton* zoom_out_;
    QToolButton* fit_;
    QToolButton* zoom_in_;
    QLabel* empty_;
    QWidget* cancelled_; ///< says that a map is incomplete
    QLabel* cancelled_words_;
    QPushButton* compute_;
    QStackedLayout* pages_;
};

} // namespace attnlab::ui
