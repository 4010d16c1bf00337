// All heads in a column on one colour scale, with their mean.
#pragma once

#include "ui/document/computation.h"
#include "ui/document/view_state.h"
#include "ui/matrix/stages/head_order.h"
#include "ui/matrix/stages/one_by_one.h"

#include <QTimer>
#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

class QComboBox;
class QLabel;

namespace attnlab::ui {

class HeadGrid;
class LayerGrid;
class MatrixTile;

/// Small multiples of the chosen stage's query-key maps (of the weights, if it has none), one tile a head, with its
/// number and what its weights do in two words; entropy and largest weight are in the tooltip and in the accessible
/// name. Clicks and arrow keys choose the head in the ViewState. Narrow, for the side of the matrix.
class HeadsView : public QWidget {
    Q_OBJECT
public:
    explicit HeadsView(ViewState& view, QWidget* parent = nullptr);

    void setTrace(ComputedPtr computed);

    HeadOrder order() const;
    void setOrder(HeadOrder order);

    /// What is displayed: heads from first to last, their tiles, the name of their stage.
    const std::vector<int>& shownHeads() const;
    MatrixTile* tile(int head) const; ///< ViewState::mean_of_heads: the mean
    QString shownStage() const;
    /// There are several heads or layers to choose from; without them the view is empty and needs no room.
    bool hasChoice() const;
    /// The trace has several layers, shown one in each row.
    bool showsLayers() const;
    LayerGrid* layers() const { return layers_; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// Double click or Enter on a head, which is already selected.
    void enlargeRequested();
    void hasChoiceChanged(bool has_choice);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void build();
    void rebuild();
    void resort();
    void renewFigures();
    void refreshTiles();
    void refreshTexts();
    void showNote();
    void showCrosshair();
    int selected() const;
    void describeTile(int head);
    QSize aroundTiles() const;

    const Stage* mapStage() const;
    const Stage* weightsStage() const;
    MatrixView weightsOf(int head) const;
    explain::HeadFigures figuresOf(int head) const;

    ViewState& view_;
    ComputedPtr computed_;
    mutable std::vector<std::optional<explain::HeadFigures>> figures_; ///< by head, computed on demand
    QLabel* title_;
    QLabel* note_;
    QComboBox* sort_;
    HeadGrid* grid_;
    LayerGrid* layers_;
    std::pair<const Stage*, int> figures_of_{nullptr, 0}; ///< weights and batch
    bool has_choice_ = false;
    OneByOne descriptions_;
    QTimer resort_later_;
};

} // namespace attnlab::ui
