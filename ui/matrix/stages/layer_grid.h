// The heads of every layer of a trace with several passes: a row for each layer, a column for each head, the mean last.
#pragma once

#include "ui/document/computation.h"
#include "ui/document/view_state.h"
#include "ui/matrix/stages/matrix_tile.h"

#include <QWidget>

#include <vector>

class QLabel;

namespace attnlab::ui {

class TileScroll;

/// All maps on one colour scale and with cells of one size, as large as possible with all in sight, else small and
/// scrolled. Each layer's name is above its maps, the numbers of the heads are on top. Arrow keys move between maps.
class LayerGrid : public QWidget {
    Q_OBJECT
public:
    explicit LayerGrid(ViewState& view, QWidget* parent = nullptr);

    /// Shows the layers of the trace; none if it has only one pass.
    void setTrace(ComputedPtr computed);
    /// The colours or the batch changed.
    void refresh();

    int layers() const { return static_cast<int>(rows_.size()); }
    /// The stage of a layer, "encoder.0.self.weights".
    QString stageOf(int layer) const;
    /// A head or ViewState::mean_of_heads; null if there is none.
    MatrixTile* tile(int layer, int head) const;
    QString title(int layer) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    /// Limits of the longer side of the largest map.
    static constexpr int smallest_map = 24, usual_map = 44, largest_map = 64;

signals:
    /// Double click or Enter, after the choice was written to the ViewState.
    void enlarged();

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Row {
        std::string stage;
        QLabel* title = nullptr;
        std::vector<MatrixTile*> tiles; ///< by head; the mean of two or more is last
        QSize shape;
    };

    void rebuild();
    void nameHeads();
    void connectTile(MatrixTile* tile, int layer, int head);
    void describe(int piece);
    void choose(int layer, int head);
    void showChosen();
    bool moveFrom(const MatrixTile* from, int key);
    void relayout();
    void revealChosen();
    QSize pictureOf(const Row& row, int side) const;
    QSize sizeWith(int side) const;
    int columnWidth(int side) const;
    int titleHeight() const;
    int widestRow() const;
    static int headAt(const Row& row, std::size_t column);

    ViewState& view_;
    ComputedPtr computed_;
    std::vector<Row> rows_;
    std::vector<QLabel*> columns_; ///< numbers of the heads, and "mean"
    TileScroll* scroll_;
    int described_batch_ = -1; ///< the tiles' names and tooltips are of it; -1: of none
    IdleTaskQueue descriptions_;
};

} // namespace attnlab::ui
