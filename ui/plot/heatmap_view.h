// The large matrix: labels, numbers in cells, hover, pan and zoom, a colour bar. QCustomPlot stays behind this header.
#pragma once

#include "ui/plot/colormap.h"
#include "ui/plot/matrix_data.h"
#include "ui/view_state.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace attnlab::ui {

/// Wheel and + / - zoom, a drag pans, 0 or a double click fits. Arrow keys move a cursor (read aloud), Enter clicks it.
class HeatmapView : public QWidget {
    Q_OBJECT
public:
    explicit HeatmapView(QWidget* parent = nullptr);
    ~HeatmapView() override;

    /// Shows a matrix; pan and zoom stay when the shape is the same.
    void setMatrix(MatrixData matrix, const ColorScale& scale);
    const MatrixData& matrix() const;
    const ColorScale& colorScale() const;

    void setCrosshair(std::optional<Cell> cell);
    void setPinned(std::optional<Cell> cell);
    /// Cells that are outlined because a text speaks of them.
    void setHighlighted(std::vector<Cell> cells);
    /// While painting, dragging the left button paints instead of panning (the middle button and Space still pan);
    /// Enter paints the cell of the keyboard cursor, Delete erases it.
    void setPainting(bool on);
    bool isPainting() const;
    /// Wording of the tooltip and of the cell read aloud; default "row label → column label: exact value".
    void setCellText(std::function<QString(Cell)> text);

    /// What stands beside the cells may be left out where a neighbour shows the same.
    void setSides(bool row_labels, bool color_bar);
    /// The width that everything beside the cells takes.
    double sidesWidth() const;

    /// What pan and zoom show, in cells: views of one shape can follow each other.
    QRectF visibleRange() const;
    void setVisibleRange(const QRectF& range);

    void zoomIn();
    void zoomOut();
    void zoomToFit();

    /// What is on show, for tests and exports: cell under a widget position, visible cells, text drawn in a cell (empty
    /// when numbers do not fit), tick labels.
    std::optional<Cell> crosshair() const;
    std::optional<Cell> pinned() const;
    const std::vector<Cell>& highlighted() const;
    std::optional<Cell> cellAt(const QPointF& position) const;
    QRectF cellRect(Cell cell) const;
    QRect visibleCells() const; ///< left/top = first column/row
    QString textInCell(Cell cell) const;
    QStringList visibleRowLabels() const;
    QStringList visibleColumnLabels() const;
    /// What the tooltip of a cell says.
    QString cellText(Cell cell) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void visibleRangeChanged(const QRectF& range);
    void cellHovered(std::optional<attnlab::ui::Cell> cell);
    void cellClicked(attnlab::ui::Cell cell); ///< also Enter on the keyboard cursor
    /// While painting: press, drag through cells, release. `erase` is true with the right button.
    void strokeBegan(attnlab::ui::Cell cell, bool erase);
    void strokeMoved(attnlab::ui::Cell cell);
    void strokeEnded();

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void hover(std::optional<Cell> cell);
    void moveCursor(int rows, int columns);
    void setCursorCell(std::optional<Cell> cell);
    void clickCursor(bool erase);
    void beginPan(const QPointF& position);
    void strokeTo(Cell cell);
    void updateMouseShape();
    void describe();

    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace attnlab::ui
