// All heads in a column on one colour scale, with their mean, and their order.
#pragma once

#include "core/explain/head_figures.h"
#include "core/tensor.h"
#include "ui/document/computation.h"
#include "ui/document/view_state.h"
#include "ui/matrix/stages/matrix_tile.h"

#include <functional>
#include <optional>
#include <QTimer>
#include <QWidget>
#include <utility>
#include <vector>

namespace attnlab::ui {

enum class HeadOrder {
    Number,
    Entropy,    ///< the sharpest first
    MaxWeight,  ///< the largest first
    Similarity, ///< the most similar to the selected one first
};

/// 1 - the mean over rows of the total variation distance, 1/2 sum_j |a_j - b_j|: 1 for equal maps, 0 where no row
/// shares a key. Matrices of different shapes give 0.
double headSimilarity(const MatrixView& one, const MatrixView& other);

/// 0 .. count-1 in the given order; the sort is stable, and heads whose figure is NaN are last.
std::vector<int> orderedHeads(int count, HeadOrder order, const std::function<explain::HeadFigures(int)>& figures,
                              const std::function<double(int)>& similarity);

} // namespace attnlab::ui

// All heads in a column on one colour scale, with their mean.

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
    IdleTaskQueue descriptions_;
    QTimer resort_later_;
};

} // namespace attnlab::ui
