// All heads side by side on one colour scale, and what their mean hides.
#pragma once

#include "ui/computation.h"
#include "ui/stages/head_order.h"
#include "ui/stages/matrix_tile.h"
#include "ui/view_state.h"

#include <QTimer>
#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;
class QFrame;
class QLabel;
class QScrollArea;

namespace attnlab::ui {

/// Small multiples of the chosen stage's query-key maps (the weights, where the chosen stage has none), one tile a
/// head, with entropy and largest weight under each. Clicks and arrow keys choose the head in the ViewState.
class HeadsView : public QWidget {
    Q_OBJECT
public:
    explicit HeadsView(ViewState& view, QWidget* parent = nullptr);

    void setTrace(ComputedPtr computed);

    HeadOrder order() const;
    void setOrder(HeadOrder order);

    /// What is on show: heads from first to last, their tiles, the name of the stage they show.
    const std::vector<int>& shownHeads() const { return order_; }
    MatrixTile* tile(int head) const; ///< ViewState::MeanOfHeads: the mean
    QString shownStage() const;
    QString hint() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// Double click or Enter on a head, which is selected by then.
    void enlargeRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Grid;

    void retranslate();
    void rebuild();
    void resort();
    void refreshTiles();
    void refreshTexts();
    void showSelected();
    void showCrosshair();
    void relayout();
    void placeTiles(const Grid& grid);
    Grid gridFor(QSize room) const;
    QSize tileSize(int picture) const;
    bool move(MatrixTile* from, int key);
    void selectTile(MatrixTile* tile);
    void adoptTile(MatrixTile* tile, int head);
    int heightFor(int picture) const;
    int heads() const { return static_cast<int>(tiles_.size()); }

    const Stage* mapStage() const;
    const Stage* weightsStage() const;
    MatrixView weightsOf(int head) const;
    RowStatistics statisticsOf(int head) const;
    double similarityTo(int head, const MatrixView& selected) const;

    ViewState& view_;
    ComputedPtr computed_;
    std::vector<MatrixTile*> tiles_; ///< by head
    std::vector<int> order_;
    mutable std::vector<std::optional<RowStatistics>> statistics_;
    QLabel* title_;
    QLabel* scale_note_;
    QComboBox* sort_;
    QWidget* body_;
    QScrollArea* scroll_;
    QWidget* content_;
    QFrame* line_;
    MatrixTile* mean_;
    QLabel* hint_;
    QTimer resort_later_;
};

} // namespace attnlab::ui
