// A measure of every setting against the width or the number of keys.
#pragma once

#include "core/lab/sweep.h"
#include "ui/drawing/line_chart_drawing.h"
#include "ui/widgets/latest_job.h"

#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>

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
    static constexpr int draws = 9; ///< curves are means of nine draws; one draw is jagged

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
    bool showsLoss() const;
    void showLoss();

    SceneModel& model_;
    QLabel* title_;
    QLabel* note_;
    QComboBox* measure_;
    QComboBox* over_;
    LineChart* chart_;
    QTimer wait_;
    std::optional<lab::SweepRequest> wanted_; ///< the latest one
    std::optional<lab::SweepRequest> shown_;  ///< that of points_
    std::vector<lab::SweepPoint> points_;
    LatestJob<Curves> job_;
};

} // namespace attnlab::ui
