// The heads of every layer of a trace with several passes: a row for each layer, a column for each head, the mean last.
#pragma once

#include "ui/document/computation.h"
#include "ui/document/view_state.h"
#include "ui/matrix/stages/thumbnail_grid.h"

#include <vector>

class QLabel;

namespace attnlab::ui {

/// All maps on one colour scale and with cells of one size, as large as possible with all in sight, else small and
/// scrolled. Each layer's name is above its maps, the numbers of the heads are on top.
class LayerGrid : public ThumbnailGrid {
    Q_OBJECT
public:
    explicit LayerGrid(ViewState& view, QWidget* parent = nullptr);

    /// Shows the layers of the trace; none if it has only one pass.
    void setTrace(ComputedPtr computed);
    /// The colours or the batch changed.
    void refresh();

    int layers() const { return static_cast<int>(layers_.size()); }
    /// The stage of a layer, "encoder.0.self.weights".
    QString stageOf(int layer) const;
    /// A head or ViewState::mean_of_heads; null if there is none.
    MatrixTile* tile(int layer, int head) const;
    QString title(int layer) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    /// Limits of the longer side of the largest map.
    static constexpr int smallest_map = 24, usual_map = 44, largest_map = 64;

protected:
    void chooseTile(MatrixTile& tile) override;
    void relayout() override;

private:
    /// Its tiles are a row of the grid, by head; the mean of two or more is last.
    struct Layer {
        std::string stage;
        QLabel* title = nullptr;
        QSize shape;
    };

    void rebuild();
    void nameHeads();
    MatrixTile* newTile(int layer, int head);
    void describe(int piece);
    void showChosen();
    QSize pictureOf(const Layer& layer, int side) const;
    QSize sizeWith(int side) const;
    int columnWidth(int side) const;
    int titleHeight() const;
    int widestRow() const;
    int headAt(int layer, std::size_t column) const;

    ViewState& view_;
    ComputedPtr computed_;
    std::vector<Layer> layers_;
    std::vector<QLabel*> columns_; ///< numbers of the heads, and "mean"
    int described_batch_ = -1;     ///< the tiles' names and tooltips are of it; -1: of none
    IdleTaskQueue descriptions_;
};

} // namespace attnlab::ui
