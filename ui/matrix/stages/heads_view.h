// All heads in a column on one colour scale, with their mean, and their order.
#pragma once

#include "core/explain/head_figures.h"
#include "core/tensor.h"
#include "ui/document/computation.h"
#include "ui/document/view_state.h"
#include "ui/matrix/stages/thumbnail_grid.h"

#include <functional>
#include <optional>
#include <QFont>
#include <QTimer>
#include <QWidget>
#include <utility>
#include <vector>

class QComboBox;
class QLabel;

namespace attnlab::ui {

class LayerGrid;
class MatrixTile;

/// A column of tiles of one size; where they are too many, the heads scroll and the mean stays visible below them.
/// Heads are numbered from 0; ViewState::mean_of_heads is the mean, present with two or more heads.
class HeadGrid : public ThumbnailGrid {
    Q_OBJECT
public:
    explicit HeadGrid(QWidget* parent = nullptr);

    void setHeads(int count);
    int heads() const { return static_cast<int>(tiles_.size()); }
    /// Null for an unknown head.
    MatrixTile* tile(int head) const;

    /// Shows or hides the mean.
    void setMeanShown(bool shown);

    /// Rows and columns of the maps, for the aspect of the pictures.
    void setMapShape(std::int64_t rows, std::int64_t columns);
    void setOrder(std::vector<int> order);
    const std::vector<int>& order() const { return order_; }
    /// Scrolls to it; it stays visible when the size changes.
    void setSelected(int head);
    /// The number of heads outside the visible part.
    int hidden() const;

    /// The text below the title of a head. The longest word of `samples` determines the width, so that it stays the
    /// same while the texts change.
    using Detail = std::function<QString(int head)>;
    void setDetail(Detail detail, const QStringList& samples);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    /// Pictures are larger where all heads have room for that.
    void setRoomy(bool roomy);
    static constexpr int picture_side = 52, roomy_side = 96;

signals:
    /// hidden() has changed.
    void visibleHeadsChanged();
    void chosen(int head);
    void cellHovered(std::optional<attnlab::ui::Cell> cell);

protected:
    void chooseTile(MatrixTile& tile) override;
    void relayout() override;
    void paintEvent(QPaintEvent* event) override;

private:
    MatrixTile* makeTile(QWidget* parent);
    void showDetail(MatrixTile* tile, int head);
    int sampleWidth(const MatrixTile& any) const;
    QSize tileSize() const { return tileSize(picture_side); }
    QSize tileSize(int side) const;
    int sideFor(int height) const;
    int heightOf(int heads) const;
    /// The height of a tile: a little lower where all heads then fit without scrolling.
    int fittedHeight(int room) const;
    int meanHeight() const;
    bool showsMean() const { return mean_shown_ && heads() > 1; }

    std::vector<MatrixTile*> tiles_; ///< by head
    std::vector<int> order_;
    MatrixTile* mean_;
    bool mean_shown_ = true, is_roomy_ = false;
    int side_ = picture_side; ///< of the pictures in the present height
    std::int64_t map_rows_ = 1;
    std::int64_t map_columns_ = 1;
    Detail detail_;
    QStringList samples_;
    mutable int sample_width_ = -1; ///< the widest of samples_ in sample_font_; -1: not measured
    mutable QFont sample_font_;
    QRect line_; ///< separates heads and mean
};

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

/// Small multiples of the chosen stage's query-key maps (of the weights, if it has none), one tile a head, with its
/// number and what its weights do in two words; entropy and largest weight are in the tooltip and in the accessible
/// name. Clicks and arrow keys choose the head in the ViewState. Narrow, for the side of the matrix.
class HeadsView : public QWidget {
    Q_OBJECT
public:
    explicit HeadsView(ViewState& view, QWidget* parent = nullptr);

    void setTrace(ComputedPtr computed);
    /// What the tiles say instead of what a head does: "random numbers" have learned nothing. Empty: none.
    void setMark(const QString& mark);

    HeadOrder order() const;
    void setOrder(HeadOrder order);
    /// Larger pictures, where the column is high enough for all heads.
    void setRoomy(bool roomy);

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
    QString mark_;
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
