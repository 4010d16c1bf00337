// The heads of every layer of a trace with several passes: a row for each layer, a column for each head, the mean last.
#pragma once

#include "ui/document/computation.h"
#include "ui/document/view_state.h"
#include "ui/matrix/stages/matrix_tile.h"

#include <QWidget>

#include <vector>

class QLabel;
class QScrollArea;

namespace attnlab::ui {

/// All maps on one colour scale, as large as possible with every layer visible, else small and scrolled. Arrow keys
/// move between maps.
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
    int headsOf(int layer) const;
    /// A head or ViewState::MeanOfHeads; null if there is none.
    MatrixTile* tile(int layer, int head) const;
    QString title(int layer) const;

    QSize sizeHint() const override;

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
    void connectTile(MatrixTile* tile, int layer, int head);
    void choose(int layer, int head);
    void showChosen();
    bool moveFrom(const MatrixTile* from, int key);
    void relayout();
    int pictureFor(QSize room) const;
    static int headAt(const Row& row, std::size_t column);

    ViewState& view_;
    ComputedPtr computed_;
    std::vector<Row> rows_;
    QScrollArea* scroll_;
    QWidget* content_;
};

} // namespace attnlab::ui
