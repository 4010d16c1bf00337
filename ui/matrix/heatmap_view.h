// The view of a matrix, from one cell to a million by a million: labels, numbers in cells, pan and zoom, cursor and
// pin, a colour bar, and for large ones profiles and a minimap.
#pragma once

#include "ui/document/view_state.h"
#include "ui/drawing/heatmap_layout.h"
#include "ui/drawing/heatmap_painter.h"
#include "ui/matrix/heatmap_fit.h"
#include "ui/matrix/matrix_source.h"
#include "ui/matrix/viewport.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/state_box.h"

#include <QPixmap>
#include <QWidget>

#include <optional>
#include <vector>

class QPinchGesture;
class QVariantAnimation;

namespace attnlab::ui {

/// Wheel, pinch, + and - zoom, a drag pans (as do Ctrl and the arrow keys), 0 or a double click fits. Arrow keys, Page
/// Up, Page Down, Home and End move an accessible cursor by a cell or by a few pixels; Enter clicks it.
class HeatmapView : public QWidget, public AccessibleTable {
    Q_OBJECT
public:
    explicit HeatmapView(QWidget* parent = nullptr);
    ~HeatmapView() override;

    /// Shows another source, which must outlive the view or be replaced; null: the matrix of setMatrix(). Pan and zoom
    /// stay while the shape does.
    void setSource(MatrixSource* source);
    const MatrixSource& source() const { return *source_; }
    /// Shows a matrix in memory.
    void setMatrix(MatrixData matrix, const ColorScale& scale);
    /// That of setMatrix().
    const MatrixData& matrix() const { return dense_->matrix(); }
    void setScale(const ColorScale& scale);
    /// The next picture fades in over the present one, so that the eye can follow; with reduced motion, and where
    /// pictures follow each other faster, it comes at once.
    void fadeToNext();
    const ColorScale& colorScale() const { return scale_; }
    /// The text in the middle while there are no cells: "Computing the map… 43%".
    void setMessage(const QString& text, PictureState::Look look = PictureState::Look::Empty);
    const QString& message() const { return message_.what; }

    void setCrosshair(std::optional<Cell> cell);
    void setPinned(std::optional<Cell> cell);
    /// Cells outlined because a text mentions them.
    void setHighlighted(std::vector<Cell> cells);
    /// In this mode dragging with the left button paints instead of panning (the middle button and Space still pan);
    /// Enter paints the cell of the keyboard cursor, Delete erases it.
    void setPainting(bool on);
    bool isPainting() const { return painting_; }

    /// What the matrix is called, for a screen reader: "weights, head 0".
    void setCaption(const QString& caption);
    /// A click on the colour bar emits colorBarClicked; `tip` is its tooltip.
    void setColorBarTip(const QString& tip);
    /// Hides parts beside the cells where a neighbouring view shows the same.
    void setSides(bool row_labels, bool color_bar);
    /// A child of this view in its top right corner, above the colour bar. It gets the width beside the cells, at most
    /// its preferred one, and moves nothing.
    void setCorner(QWidget* corner);
    /// The cells stand at the top, for views with a heading above them; else in the middle.
    void setAtTop(bool at_top);
    /// Narrower cells have no numbers: these would be a texture over the colours.
    static constexpr int legible_width = 27;
    /// Whether cells of this width have room for numbers, in pixels of the screen: where it has more of them, small
    /// numbers are as sharp as large ones.
    bool isLegible(double cell_width) const { return cell_width * devicePixelRatioF() >= legible_width; }
    /// The size of labels relative to their usual one; nullopt: smaller where that keeps column labels horizontal. For
    /// views side by side, which agree on one.
    void setLabelSize(std::optional<double> size);
    /// Whether turned names of columns are upright; nullopt: where leaning ones would leave some out. As above.
    void setUpright(std::optional<bool> upright);
    bool columnsAreTurned() const { return fit_.columnsAreTurned(); }
    /// Turned labels are vertical where leaning ones would leave some out.
    bool columnsAreUpright() const { return fit_.columnsAreUpright(); }
    /// False where rows are so low that some labels are left out.
    bool labelsEveryRow() const { return fit_.labelsEveryRow(); }
    /// The smaller side of a cell while all are in sight.
    double fittedCell() const { return fit_.cell(); }
    static constexpr double smaller_labels = HeatmapFit::smaller_labels;
    /// The total width of everything beside the cells.
    double sidesWidth() const { return fit_.sidesWidth(); }

    /// For views of equal shape that follow each other.
    const ViewPosition& position() const { return viewport_.position(); }
    void setPosition(const ViewPosition& position);
    /// Zooms to show these cells.
    void showCells(const QRectF& cells);
    /// Centres one cell and enlarges it to be recognisable.
    void showCell(Cell cell);
    void zoomIn();
    void zoomOut();
    void zoomToFit();

    std::optional<Cell> crosshair() const { return marks_.crosshair; }
    std::optional<Cell> pinned() const { return marks_.pinned; }
    const std::vector<Cell>& highlighted() const { return marks_.highlighted; }
    /// The cell at a widget position.
    std::optional<Cell> cellAt(const QPointF& position) const;
    HeatmapFrame frame() const { return viewport_.frame(); }
    QRectF cellRect(Cell cell) const { return frame().cellRect(cell); }
    QRect visibleCells() const { return frame().visibleCells(); } ///< left/top = first column/row
    bool isFitted() const { return viewport_.isFitted(); }
    /// The number drawn in a cell; empty when numbers do not fit.
    QString textInCell(Cell cell) const;
    QStringList visibleRowLabels() const;
    QStringList visibleColumnLabels() const;
    bool showsMinimap() const;
    /// The tooltip of a cell.
    QString cellText(Cell cell) const { return source_->textOf(cell); }

    int tableRows() const override;
    int tableColumns() const override;
    QString tableRowName(int row) const override { return axes_.rows.label(row); }
    QString tableColumnName(int column) const override { return axes_.columns.label(column); }
    QString tableCellText(int row, int column) const override;
    QRect tableCellRect(int row, int column) const override;
    std::optional<std::pair<int, int>> tableCursor() const override;
    void pressTableCell(int row, int column) override { click({row, column}, false); }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// By the user.
    void positionChanged(const attnlab::ui::ViewPosition& position);
    void cellHovered(std::optional<attnlab::ui::Cell> cell);
    void cellClicked(attnlab::ui::Cell cell); ///< also Enter on the keyboard cursor
    void unpinned();                          ///< Escape without a cursor, while a cell is pinned
    /// While painting: press, drag through cells, release. `erase` is true with the right button.
    void strokeBegan(attnlab::ui::Cell cell, bool erase);
    void strokeMoved(attnlab::ui::Cell cell);
    void strokeEnded();
    void colorBarClicked(const QRect& bar);

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    enum class Gesture { None, Click, Pan, Stroke, Minimap, ColorBar };

    void declareGestures();
    void renewSource();
    void relayout();
    void paintFading(QPainter& painter) const;
    void paintEdge(QPainter& painter) const;
    void placeCells();
    void placeCorner();
    void showMessage();
    void moved(); ///< by the user
    void refresh();
    void zoom(double factor, const QPointF& about);
    void pinched(const QPinchGesture& pinch);
    void hover(std::optional<Cell> cell);
    bool moveCursor(const QKeyEvent& event);
    void setCursorCell(std::optional<Cell> cell);
    void click(Cell cell, bool erase);
    void beginPan(const QPointF& position);
    void dragMinimap(const QPointF& position);
    void strokeTo(Cell cell);
    void updateMouseShape();
    void renewTip();
    void describe();
    void describeCell();
    std::optional<Cell> describedCell() const;

    VisibleMatrix sight() const;
    HeatmapLayout placed() const;
    HeatmapLabels labels() const;
    const CellNumbers& numbers() const;
    void renderPicture();
    void paintProfiles(QPainter& painter, const HeatmapLayout& at) const;
    Minimap minimap() const;
    bool isOnMinimap(const QPointF& position) const;
    bool isOnColorBar(const QPointF& position) const;

    DenseSource* dense_;
    MatrixSource* source_;
    MatrixAxes axes_;
    ColorScale scale_;
    Viewport viewport_;
    HeatmapFit fit_;
    std::optional<double> fixed_label_size_;
    std::optional<bool> fixed_upright_;
    QWidget* corner_ = nullptr;
    HeatmapMarks marks_;
    PictureState message_;
    StateBox* message_box_ = nullptr; ///< made when there is something to say
    QString caption_;
    QString tip_;           ///< the tooltip that was shown last
    QString color_bar_tip_; ///< empty: the colour bar is no button
    bool row_labels_ = true;
    bool color_bar_ = true;
    QPixmap picture_; ///< everything except labels and marks, which follow the mouse; null: to be painted again
    mutable std::optional<CellNumbers> numbers_;
    QPixmap before_; ///< fades away
    QVariantAnimation* fade_;

    bool painting_ = false;
    bool space_held_ = false;
    bool on_color_bar_ = false; ///< the mouse
    bool focus_shown_ = false;
    Gesture gesture_ = Gesture::None;
    QPointF pressed_at_, last_at_;
    std::optional<Cell> pressed_cell_, stroke_cell_;
};

} // namespace attnlab::ui
