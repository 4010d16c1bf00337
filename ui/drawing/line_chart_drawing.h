// Lines against one number that doubles from tick to tick, each named at its right end.
#pragma once

#include "ui/drawing/drawing.h"

#include <QColor>
#include <QCoreApplication>
#include <QPointF>

#include <optional>
#include <vector>

namespace attnlab::ui {

class ChartPlot;

/// The colour of the series `index` (as many as anyone tells apart, then from the first again); at least 3:1 against
/// the card.
QColor seriesColor(int index, const Theme& look);

struct ChartLine {
    QString name;
    int color = 0;               ///< of seriesColor()
    std::vector<QPointF> points; ///< by ascending x > 0; those that are not finite are left out
};

class LineChartDrawing : public Drawing {
    Q_DECLARE_TR_FUNCTIONS(LineChartDrawing)
public:
    QString x_title;
    std::vector<ChartLine> lines;
    std::vector<QPointF> reference; ///< a dashed line behind them, by ascending x; empty: none
    QString reference_title;
    std::optional<double> marker;  ///< an x that stands out: the present one
    std::optional<double> hovered; ///< an x that the mouse is at
    bool logarithmic_y = false;    ///< where all numbers are positive

    bool isEmpty() const;
    /// All x of the points, ascending.
    std::vector<double> positions() const;

    QSizeF smallest(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;

    /// The x at a position, kept between the ends; nothing for an empty chart.
    std::optional<double> xAt(const QPointF& position, const QRectF& area, const QFont& font) const;
    /// Where a point is painted.
    QPointF positionOf(const QPointF& point, const QRectF& area, const QFont& font) const;
    /// "d 64: none 0.22, 1/√d 1.89".
    QString textOf(double x) const;

private:
    void setAxes(ChartPlot& chart) const;
    /// At the right ends of the lines; they never overlap while there is room.
    void addNames(ChartPlot& chart, const Theme& look) const;
    void addMarks(ChartPlot& chart, const Theme& look) const;
};

} // namespace attnlab::ui
