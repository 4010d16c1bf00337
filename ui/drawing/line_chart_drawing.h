// Lines against one number that doubles from tick to tick, each named at its right end.
#pragma once

#include "ui/drawing/color_bar.h"
#include "ui/drawing/drawing.h"

#include <QColor>
#include <QCoreApplication>
#include <QPointF>

#include <optional>
#include <vector>

namespace attnlab::ui {

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
    QString y_title;
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
    QPointF pointAt(const QPointF& point, const QRectF& area, const QFont& font) const;
    /// Where the labels at the right end stand: one for each line with points; they never overlap while there is room.
    std::vector<QRectF> labelRects(const QRectF& area, const QFont& font) const;
    /// "d 64: none 0.22, 1/√d 1.89".
    QString textOf(double x) const;

private:
    struct Axes {
        ColorScale x;
        ColorScale y;
        QRectF plot;
        double names = 0.0; ///< width beside the plot
        int ticks = 3;      ///< at most, up
        QPointF at(const QPointF& point) const {
            return QPointF(plot.left() + x.position(point.x()) * plot.width(),
                           plot.bottom() - y.position(point.y()) * plot.height());
        }
    };
    Axes axes(const QRectF& area, const QFont& font) const;
    std::optional<double> lastOf(const ChartLine& line) const;
    void paintAxes(QPainter& painter, const Axes& axes, const QRectF& area, const DrawingStyle& style) const;
    void paintReference(QPainter& painter, const Axes& axes, const DrawingStyle& style) const;
    void paintLines(QPainter& painter, const Axes& axes, const DrawingStyle& style) const;
    void paintMarker(QPainter& painter, const Axes& axes, const DrawingStyle& style) const;
    void paintNames(QPainter& painter, const Axes& axes, const QRectF& area, const DrawingStyle& style) const;
};

} // namespace attnlab::ui
