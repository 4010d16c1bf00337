// The tiles of all heads and of their mean, one below the other.
#pragma once

#include "ui/matrix/stages/thumbnail_grid.h"

#include <functional>
#include <vector>

namespace attnlab::ui {

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

    static constexpr int picture_side = 52;

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
    QSize tileSize() const;
    int heightOf(int heads) const;
    int meanHeight() const;
    bool showsMean() const { return mean_shown_ && heads() > 1; }

    std::vector<MatrixTile*> tiles_; ///< by head
    std::vector<int> order_;
    MatrixTile* mean_;
    bool mean_shown_ = true;
    std::int64_t map_rows_ = 1;
    std::int64_t map_columns_ = 1;
    Detail detail_;
    QStringList samples_;
    QRect line_; ///< separates heads and mean
};

} // namespace attnlab::ui
