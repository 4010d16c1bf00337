// Thumbnails of matrices, of which one is chosen: keys, scrolling, selection and mirrored layouts in one place.
#pragma once

#include "ui/document/view_state.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/matrix_data.h"
#include "ui/drawing/role_color.h"

#include <functional>
#include <optional>
#include <QAbstractButton>
#include <QImage>
#include <QPixmap>
#include <QScrollArea>
#include <QTimer>
#include <QWidget>
#include <vector>

class QKeyEvent;

namespace attnlab::ui {

/// The size of a matrix's image for a height: its own aspect ratio within 1:3 and 1.6:1.
QSize thumbnailSize(std::int64_t rows, std::int64_t columns, int height);
/// The size whose longer side is `side`: its own aspect ratio within 1:3 and 3:1.
QSize thumbnailWithin(std::int64_t rows, std::int64_t columns, int side);

/// Image, with title and detail beside it, or the title below. The owner sets the geometry; an image without text is
/// centred. Checked means chosen.
class MatrixTile : public QAbstractButton {
    Q_OBJECT
public:
    using MakeMatrix = std::function<std::optional<MatrixData>()>;
    static constexpr int padding = 4, text_gap = 6, detail_lines = 2;
    static constexpr int dense_padding = 2;

    explicit MatrixTile(QWidget* parent = nullptr);

    /// The matrix is requested when the tile is painted: invisible tiles cost nothing.
    void setMatrix(MakeMatrix source, const ColorScale& scale);
    std::optional<MatrixData> matrix() const { return source_ ? source_() : std::nullopt; }
    const ColorScale& colorScale() const { return scale_; }

    /// Instead of a matrix: an image in any size, requested when the tile is painted.
    void setImage(std::function<QImage()> image);
    /// The title has the colour of the role.
    void setRole(std::optional<AttentionRole> role);
    /// Pale and crossed out.
    void setOff(bool off);
    /// For many small tiles: dense_padding around the image, the title below it.
    void setDense(bool dense);
    /// Of a dense tile, between image and title: a bar that covers a share of the image's width, 0 to 1.
    struct Bar {
        double share = 0.0;
        bool is_signed = false; ///< from the middle to the right, or to the left for a share below 0, in another colour
        bool is_hollow = false; ///< an outline
        bool operator==(const Bar&) const = default;
    };
    /// nullopt: none.
    void setBar(std::optional<Bar> bar);
    const std::optional<Bar>& bar() const { return bar_; }
    static constexpr int bar_room = 7;
    /// Chosen, it is marked as a chosen word or cell, not as a control that is on.
    void setSelection(bool selection);
    /// The title of a dense tile is not muted.
    void setStrong(bool strong);
    /// Its picture is one colour, which may be any: it has a border, and chosen, a frame that is seen on it.
    void setFilled(bool filled);

    /// A muted text below the title, of up to detail_lines lines, requested when needed.
    void setDetail(std::function<QString()> detail);
    QString detail() const { return detail_ ? detail_() : QString(); }

    void setPictureSize(QSize size);
    QSize pictureSize() const { return picture_size_; }
    /// Outlines a cell thinly.
    void setCrosshair(std::optional<Cell> cell);
    std::optional<Cell> crosshair() const { return crosshair_; }

    std::optional<Cell> cellAt(const QPointF& position) const;
    QRectF pictureRect() const;

    /// The size of the text, and the smallest widths that do not cut the title, or a word of `detail`.
    int textHeight() const;
    int titleWidth() const;
    int detailWidth(const QString& detail) const;
    /// The width of a tile with a picture and a text of these widths.
    static int widthWith(int picture, int text);

signals:
    void doubleClicked();
    void cellHovered(std::optional<attnlab::ui::Cell> cell);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    bool hasTextBeside() const { return !dense_ && (detail_ || !text().isEmpty()); }
    QColor choiceColor() const;
    QFont titleFont() const;
    QFont detailFont() const;
    void renderPicture();
    void paintFrame(QPainter& painter) const;
    void paintFilledFrame(QPainter& painter) const;
    void paintText(QPainter& painter) const;
    void paintTextBelow(QPainter& painter) const;
    void paintBar(QPainter& painter) const;
    void paintCrosshair(QPainter& painter) const;

    MakeMatrix source_;
    std::function<QImage()> image_;
    std::optional<AttentionRole> role_;
    bool is_off_ = false, dense_ = false, strong_ = false, is_selection_ = false, is_filled_ = false;
    std::optional<Bar> bar_;
    ColorScale scale_;
    std::function<QString()> detail_;
    QSize picture_size_ = QSize(60, 60);
    QPixmap picture_; ///< null: to be painted again
    std::int64_t rows_ = 0;
    std::int64_t columns_ = 0;
    std::optional<Cell> crosshair_;
};

/// Work on the GUI thread in small pieces.
/// Runs a piece in each iteration of the event loop, so that many of them do not keep the window waiting.
class IdleTaskQueue {
public:
    explicit IdleTaskQueue(std::function<void(int)> piece) : piece_(std::move(piece)) {
        timer_.setInterval(0);
        QObject::connect(&timer_, &QTimer::timeout, [this] {
            if (next_ + 1 >= count_)
                timer_.stop();
            piece_(next_++);
        });
    }

    /// Starts again with pieces 0 .. count - 1; pieces of an earlier start are dropped.
    void start(int count) {
        next_ = 0;
        count_ = count;
        if (count > 0)
            timer_.start();
        else
            timer_.stop();
    }

private:
    std::function<void(int)> piece_;
    QTimer timer_;
    int next_ = 0, count_ = 0;
};

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
