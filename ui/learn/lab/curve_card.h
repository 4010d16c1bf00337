// A measure of every setting against the width or the number of keys, as a line chart.
#pragma once

#include "core/lab/setting_numbers.h"
#include "ui/drawing/drawing_canvas.h"
#include "ui/drawing/line_chart_drawing.h"
#include "ui/widgets/latest_job.h"
#include "ui/widgets/state_box.h"

#include <memory>
#include <optional>
#include <QTimer>
#include <QWidget>

class QComboBox;
class QLabel;

namespace attnlab::ui {

class LineChart;
class SceneModel;

/// Computes the curves in the background once the scene has stopped changing. The swept size only moves the marker; a
/// press or drag on the chart sets it if the view enables it.
class CurveCard : public QWidget {
    Q_OBJECT
public:
    static constexpr int draws = 9; ///< of the means that are the lines, since one draw is jagged; it is the dots

    explicit CurveCard(SceneModel& model, QWidget* parent = nullptr);

    LineChart* chart() const { return chart_; }
    QComboBox* measure() const { return measure_; }
    QComboBox* over() const { return over_; }
    QString title() const;
    QString note() const;
    bool isComputing() const;

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    using Curves = std::pair<lab::SweepRequest, std::vector<lab::SweepPoint>>;

    void follow();
    void compute();
    void showCurves();
    std::vector<double> numbersOfDraw() const;
    bool showsLoss() const;
    void showLoss();

    SceneModel& model_;
    QLabel* title_;
    QLabel* note_;    ///< what the lines and dots are
    QLabel* uniform_; ///< the entropy of equal weights
    QComboBox* measure_;
    QComboBox* over_;
    LineChart* chart_;
    QTimer wait_;
    std::optional<lab::SweepRequest> wanted_; ///< the latest one
    std::optional<lab::SweepRequest> shown_;  ///< that of points_
    std::vector<lab::SweepPoint> points_;
    LatestJob<Curves> job_;
};

/// A LineChartDrawing in the window: its marker can be dragged.
/// A press or drag picks an x, as do Left, Right, Home and End (which go from point to point).
class LineChart : public DrawingCanvas {
    Q_OBJECT
public:
    explicit LineChart(QWidget* parent = nullptr);

    void setChart(LineChartDrawing chart);
    const LineChartDrawing& chart() const { return chart_; }
    /// Whether the marker can be moved here.
    void setPickable(bool on);
    /// In the middle while there are no lines.
    void setPlaceholder(const PictureState& state);

    /// Where a point of the chart is painted.
    QPointF positionOf(const QPointF& point) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// By the user.
    void picked(double x);

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    std::optional<double> xAt(const QPointF& position) const;
    void pick(const QPointF& position);
    void refreshChart();
    void readOff(std::optional<double> x);

    LineChartDrawing chart_;
    PictureState placeholder_;
    StateBox* placeholder_box_;
    bool pickable_ = true;
};

} // namespace attnlab::ui
