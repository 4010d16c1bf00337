// The mask as a small live grid to paint on with mouse or keyboard.
#pragma once

#include "ui/drawing/matrix_data.h"
#include "ui/panels/mask/mask_painter.h"
#include "ui/widgets/accessible.h"

#include <QPixmap>
#include <QWidget>

#include <optional>

namespace attnlab::ui {

class StateBox;

/// Shows all masks of the document combined at the batch and head of the painter's ViewState. Left button paints (or
/// erases with the eraser), right button erases. Keyboard: arrows move the cursor, Space toggles, Shift+arrows paint,
/// Esc cancels the stroke.
class MaskGrid : public QWidget, public AccessibleTable {
    Q_OBJECT
public:
    explicit MaskGrid(MaskPainter& painter, QWidget* parent = nullptr);

    const MaskLayers& layers() const { return layers_; }
    bool isBlocked(Cell cell) const;
    bool isPainted(Cell cell) const;
    /// "it → milk: blocked by causal, painted".
    QString describe(Cell cell) const;

    std::optional<Cell> cellAt(const QPointF& position) const;
    QRectF cellRect(Cell cell) const;
    /// True where words or numbers stand beside the cells.
    bool hasNames() const { return !labelRoom().isEmpty(); }
    /// Of many cells several share a box between two lines: columns and rows of one.
    QSize cellsInBox() const;
    Cell keyboardCursor() const { return cursor_; }
    void setKeyboardCursor(Cell cell);

    int tableRows() const override { return layers_.isTooLarge() ? 0 : layers_.rows(); }
    int tableColumns() const override { return layers_.isTooLarge() ? 0 : layers_.columns(); }
    QString tableRowName(int row) const override { return rowLabel(row); }
    QString tableColumnName(int column) const override { return columnLabel(column); }
    QString tableCellText(int row, int column) const override { return describe({row, column}); }
    QRect tableCellRect(int row, int column) const override { return cellRect({row, column}).toAlignedRect(); }
    std::optional<std::pair<int, int>> tableCursor() const override;
    void pressTableCell(int row, int column) override;

    QSize sizeHint() const override { return {240, 84}; }
    QSize minimumSizeHint() const override { return {120, 72}; }

signals:
    void layersChanged();
    void resized();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void updateLayers();
    /// Adds cells that the trace blocks beyond the spec's masks: some mechanisms are causal by themselves.
    void learnFromTrace();
    void announceCursor();
    void togglePainted(Cell cell);
    /// The cells have changed.
    void redraw();
    /// The area of the matrix in the widget.
    QRect matrixRect() const;
    void nameAxes();
    /// Left of the cells and above them; none where cells would then be lower than a line.
    QSizeF labelRoom() const;
    void paintNames(QPainter& painter, const QRect& area) const;
    /// The start of cell `index` of `count` in a length: whole pixels, no gaps.
    static int cellEdge(int start, int length, int index, int count);
    /// Cells are drawn one by one, or combined if there are more cells than pixels.
    enum class CellState { Kept, Partly, Blocked, Painted };
    CellState stateOf(const QRect& cells) const;
    void paintCells(QPainter& painter, const QRect& area) const;
    void paintGridLines(QPainter& painter, const QRect& area) const;
    void paintOutlines(QPainter& painter) const;
    QString rowLabel(int row) const;
    QString columnLabel(int column) const;

    MaskPainter& painter_;
    StateBox* hint_;              ///< why there are no cells
    AttentionProblem shown_part_; ///< the problem that layers_ were made from
    MaskLayers layers_;
    MatrixAxes axes_;  ///< empty: more than have room
    Tensor mechanism_; ///< cells that only the mechanism blocks
    QPixmap picture_;  ///< cells and lines as last drawn; null: to be drawn again
    Cell cursor_;
    bool mouse_strokes_ = false;
};

} // namespace attnlab::ui
