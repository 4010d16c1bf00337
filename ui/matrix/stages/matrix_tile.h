// Clickable thumbnails of matrices, and the queue that describes them.
#pragma once

#include "ui/document/view_state.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/matrix_data.h"

#include <functional>
#include <optional>
#include <QAbstractButton>
#include <QImage>
#include <QPixmap>
#include <QTimer>

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
    /// Pale and crossed out.
    void setOff(bool off);
    /// For many small tiles: dense_padding around the image, the title below it.
    void setDense(bool dense);

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
    QFont titleFont() const;
    QFont detailFont() const;
    void renderPicture();
    void paintFrame(QPainter& painter) const;
    void paintText(QPainter& painter) const;
    void paintTextBelow(QPainter& painter) const;
    void paintCrosshair(QPainter& painter) const;

    MakeMatrix source_;
    std::function<QImage()> image_;
    bool is_off_ = false, dense_ = false;
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

} // namespace attnlab::ui
