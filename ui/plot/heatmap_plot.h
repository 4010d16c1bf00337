// The QCustomPlot of a HeatmapView: buffered layers, the viewport as axis ranges, replots at most once a frame.
#pragma once

#include "ui/plot/cell_numbers.h"
#include "ui/plot/heatmap_labels.h"
#include "ui/plot/heatmap_painter.h"

#include <functional>

class QCustomPlot;
class QWidget;

namespace attnlab::ui {

class HeatmapPlot {
public:
    explicit HeatmapPlot(QWidget* parent);

    QWidget* widget() const;
    /// Called whenever pan or zoom moved.
    void setRangeListener(std::function<void()> listener) { range_moved_ = std::move(listener); }
    void setSides(bool row_labels, bool color_bar);
    double sidesWidth() const { return layout_.sides; }

    void setMatrix(MatrixData matrix, const ColorScale& scale);
    const MatrixData& matrix() const { return matrix_; }
    const ColorScale& scale() const { return scale_; }
    void setMarks(const HeatmapMarks& marks);
    const HeatmapMarks& marks() const { return marks_; }

    HeatmapFrame frame() const;
    const CellNumbers& numbers() const;
    HeatmapLabels labels() const;

    QRectF range() const { return frame().range; }
    void setRange(const QRectF& range);
    void fit();
    /// Scales the viewport about a position in pixels; more than 1 enlarges cells.
    void zoom(double factor, const QPointF& about);
    void moveBy(const QPointF& pixels);
    /// Moves the viewport no more than needed.
    void show(Cell cell);

    /// Font, palette or size changed.
    void relayout();
    /// Draws now what still waits for the event loop.
    void flush();

private:
    class CellsLayer;
    class MarksLayer;

    QRectF wholeRange() const;
    void replotCells();
    QFont labelsFont() const;

    QCustomPlot* plot_;
    CellsLayer* cells_layer_;
    MarksLayer* marks_layer_;
    MatrixData matrix_;
    ColorScale scale_;
    HeatmapMarks marks_;
    HeatmapLayout layout_;
    mutable CellNumbers numbers_;
    mutable bool numbers_known_ = false;
    std::function<void()> range_moved_;
    bool row_labels_ = true;
    bool color_bar_ = true;
    bool cells_stale_ = true;
    bool marks_stale_ = true;
};

} // namespace attnlab::ui
