// The tiles of all heads and of their mean.
#pragma once

#include "ui/matrix/stages/matrix_tile.h"

#include <QWidget>

#include <functional>
#include <vector>

class QScrollArea;

namespace attnlab::ui {

/// Lays out a tile for each head: as large as possible, else with short details, else scrolling; the mean stays
/// visible. Heads are numbered from 0; ViewState::MeanOfHeads is the mean, present with two or more heads.
class HeadGrid : public QWidget {
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

    /// The line below a head, short if room is scarce. The samples determine the width of such lines.
    using Detail = std::function<QString(int head, bool brief)>;
    void setDetail(Detail detail, const QString& sample, const QString& brief_sample);
    bool isBrief() const { return brief_; }

    int heightFor(int picture) const;
    /// The right edge of the tile of a single head.
    int loneWidth() const;

    static constexpr int smallest_picture = 52, usual_picture = 96, lone_picture = 64, largest_picture = 200;

signals:
    /// hidden() has changed.
    void sightChanged();
    void chosen(int head);
    /// Double click or Enter, after chosen().
    void enlarged();
    void cellHovered(std::optional<attnlab::ui::Cell> cell);
    void briefChanged(bool brief);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Grid;

    MatrixTile* makeTile(QWidget* parent, int head);
    void showDetail(MatrixTile* tile, int head);
    void choose(MatrixTile* tile);
    bool moveFrom(MatrixTile* from, int key);
    void relayout();
    void showSelected();
    void place(const Grid& grid);
    QSize tileSize(int picture, bool brief) const;
    int meanWidth(int picture) const;
    bool showsMean() const { return mean_shown_ && heads() > 1; }
    Grid gridFor(QSize room) const;

    std::vector<MatrixTile*> tiles_; ///< by head
    std::vector<int> order_;
    QScrollArea* scroll_;
    QWidget* content_;
    MatrixTile* mean_;
    bool mean_shown_ = true;
    std::int64_t rows_ = 1;
    std::int64_t columns_ = 1;
    Detail detail_;
    QString sample_;
    QString brief_sample_;
    bool brief_ = false;
    int selected_ = 0;
    int across_ = 1; ///< tiles in a row
    QRect line_;     ///< separates heads and mean
};

} // namespace attnlab::ui
