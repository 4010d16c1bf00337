// A map of any size: coarse tiles until fine ones arrive, deep zoom down to single cells with their exact weights.
#pragma once

#include "ui/map/map_frame.h"
#include "ui/map/map_session.h"
#include "ui/map/tile_images.h"

#include <QPixmap>
#include <QStringList>
#include <QWidget>

#include <optional>

class QPinchGesture;

namespace attnlab::ui {

/// Wheel, pinch, + and - zoom, a drag pans, 0 or a double click fits. Arrow keys move a cursor by one bin, Enter clicks
/// it. Along the right and lower edge stand the profiles of what is in sight, in the corner a minimap once zoomed in.
class MapView : public QWidget {
    Q_OBJECT
public:
    explicit MapView(MapSession& session, QWidget* parent = nullptr);

    /// Forgets pan and zoom when the size is another one.
    void setMap(std::int64_t rows, std::int64_t columns, const QStringList& row_labels,
                const QStringList& column_labels);
    /// Colours of all tiles. To be set whenever the session has another map ready, too.
    void setScale(const ColorScale& scale);
    const ColorScale& scale() const { return scale_; }
    void setPinned(std::optional<Cell> cell);
    void setCrosshair(std::optional<Cell> cell);
    /// What stands in the middle while there is nothing of a map: "Computing the map… 43 %".
    void setMessage(const QString& text);
    /// What is in sight is another part, or the session has another map, or none.
    void refresh();

    const MapFrame& frame() const { return frame_; }
    /// Zooms so that these cells are in sight.
    void showCells(const QRectF& cells);
    /// Brings one cell to the middle, large enough to be told apart.
    void showCell(Cell cell);
    void zoomIn();
    void zoomOut();
    void zoomToFit();

    /// The exact weight; NaN where masked or no number, nothing without a map.
    std::optional<double> weightAt(Cell cell) const;
    QString textOf(Cell cell) const;
    std::optional<Cell> pinned() const { return pinned_; }
    std::optional<Cell> crosshair() const { return crosshair_; }
    /// The level of the tiles on show, and whether all of them are the fine ones asked for.
    int level() const;
    bool isComplete() const;
    bool showsMinimap() const;
    QSize sizeHint() const override { return {640, 480}; }
    QSize minimumSizeHint() const override { return {200, 160}; }

signals:
    void cellHovered(std::optional<attnlab::ui::Cell> cell);
    void cellClicked(attnlab::ui::Cell cell);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void layOut();
    void repaintPicture();
    bool hasTiles() const;
    void renderPicture();
    QRectF onPixels(const QRectF& place) const;
    void paintTiles(QPainter& painter) const;
    void paintParts(QPainter& painter) const;
    void paintBins(QPainter& painter, const QImage& image, const BinGrid& grid, const CellRect& cells) const;
    void paintNumbers(QPainter& painter) const;
    void paintLabels(QPainter& painter) const;
    void paintProfiles(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintMinimap(QPainter& painter) const;
    QRectF minimapRect() const;
    bool dragMinimap(const QPointF& position);
    void moveCursor(int key);
    QString labelOf(const QStringList& labels, std::int64_t index) const;
    QSizeF cellsPerPixel() const;
    std::optional<MapBins> binOf(Cell cell) const;
    void pinched(const QPinchGesture& pinch);

    MapSession& session_;
    TileImages images_;
    MapFrame frame_;
    QStringList row_labels_, column_labels_;
    ColorScale scale_;
    QString message_;
    std::optional<Cell> pinned_, crosshair_;
    QPixmap picture_; ///< everything but cursor and pin; null: to be painted anew
    QPointF pressed_, last_;
    enum class Drag { None, Pan, Minimap } drag_ = Drag::None;
    bool dragged_ = false;
};

} // namespace attnlab::ui
