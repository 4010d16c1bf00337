// A LineChartDrawing in the window: its marker can be dragged.
#pragma once

#include "ui/drawing/drawing_canvas.h"
#include "ui/drawing/line_chart_drawing.h"

namespace attnlab::ui {

/// A press or drag picks an x, as do Left, Right, Home and End (which go from point to point).
class LineChart : public DrawingCanvas {
    Q_OBJECT
public:
    explicit LineChart(QWidget* parent = nullptr);

    void setChart(LineChartDrawing chart);
    const LineChartDrawing& chart() const { return chart_; }
    /// Whether the marker can be moved here.
    void setPickable(bool on);
    /// Said in the middle while there are no lines.
    void setPlaceholder(const QString& text);

    /// Where a point of the chart is painted.
    QPointF positionOf(const QPointF& point) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// By the user.
    void picked(double x);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    std::optional<double> xAt(const QPointF& position) const;
    void pick(const QPointF& position);
    void refreshChart();
    void readOff(std::optional<double> x);

    LineChartDrawing chart_;
    QString placeholder_;
    bool pickable_ = true;
};

} // namespace attnlab::ui
