// Thumbnails of which one is chosen: keys, scrolling, selection and mirrored layouts in one place.
#pragma once

#include "ui/matrix/stages/matrix_tile.h"

#include <optional>
#include <QScrollArea>
#include <QWidget>
#include <vector>

class QKeyEvent;

namespace attnlab::ui {

/// Scrolls tiles that do not fit: a scroll area without frame, focus and background, whose bars are thin. Its owner
/// sets the geometry of the content and of the tiles in it.
class TileScroll : public QScrollArea {
public:
    explicit TileScroll(QWidget* parent);

    QWidget* content() const { return widget(); }
    static constexpr int bar_width = 8;

    /// A child of the content, scrolled into sight with `margin` around it.
    void reveal(const QWidget& tile, int margin);
    /// The part of the content in sight, in coordinates of a layout from left to right.
    QRect sight() const;
};

/// Rows of tiles, one of which is chosen. The Tab key stops at the chosen tile, or at the first one if none is. Arrow
/// keys choose the next tile of a row or column, Home and End the ends of the row, with Ctrl those of the grid; in a
/// single row or column all arrow keys move along it. Enter and a double click choose a tile and emit enlarged().
///
/// A subclass adds tiles, arranges them in rows and gives each its rectangle. It writes rectangles for languages read
/// from left to right; place() mirrors them for the others.
class ThumbnailGrid : public QWidget {
    Q_OBJECT
signals:
    /// Double click or Enter, after the tile was chosen.
    void enlarged();

protected:
    explicit ThumbnailGrid(QWidget* parent);

    using Rows = std::vector<std::vector<MatrixTile*>>;
    struct Position {
        std::size_t row, column;
    };

    TileScroll* scroll() const { return scroll_; }
    QWidget* content() const { return scroll_->content(); }

    /// A shown tile; `parent` is content() or this grid.
    MatrixTile* addTile(QWidget* parent);
    /// The order of the arrow keys. Every tile that was removed must be missing.
    void setRows(Rows rows);
    const Rows& rows() const { return rows_; }
    std::optional<Position> positionOf(const MatrixTile* tile) const;

    /// Marks a tile and scrolls to it; null: none.
    void setChosenTile(MatrixTile* tile);
    void revealChosen();
    void place(QWidget& part, const QRect& at) const;

    /// The user chose a tile. Ends with a call of setChosenTile().
    virtual void chooseTile(MatrixTile& tile) = 0;
    /// The size, the font or the direction of the layout has changed.
    virtual void relayout() = 0;

    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

    static constexpr int reveal_margin = 4;

private:
    void choose(MatrixTile& tile);
    void markChosen();
    bool press(MatrixTile& from, const QKeyEvent& key);
    MatrixTile* target(Position from, const QKeyEvent& key) const;

    TileScroll* scroll_;
    Rows rows_;
    MatrixTile* chosen_ = nullptr; ///< compared only: it may have been removed
};

} // namespace attnlab::ui
