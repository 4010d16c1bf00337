// QCustomPlot as the painter of charts, in the window as in files.
#pragma once

#include "ui/drawing/color_bar.h"
#include "ui/drawing/drawing.h"

#include <qcustomplot.h>

#include <functional>
#include <vector>

namespace attnlab::ui {

/// Numbers along an axis: a ColorScale has their ends.
struct ChartAxis {
    ColorScale scale;
    std::vector<Tick> ticks = {};
    QString title = {};
    bool has_grid = false;
    bool has_line = false;
    bool has_tick_marks = false;
};

/// A plot for an area, in the look and the font of a drawing. It is a widget that is never shown, so it needs a
/// QApplication and lives in the GUI thread. All positions are in the coordinates of the area.
class ChartPlot {
public:
    ChartPlot(const QRectF& area, const DrawingStyle& style);
    /// Paints a plot that `fill` fills. Another thread may call it while the GUI thread, which makes the plot, handles
    /// events.
    static void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style,
                      const std::function<void(ChartPlot&)>& fill);

    const QRectF& area() const { return area_; }
    const QFont& font() const { return font_; }
    /// To be called first: all else is placed by the axes. They leave at least `margins` free, and as much as their
    /// numbers and titles take.
    void setAxes(const ChartAxis& x, const ChartAxis& y, const QMarginsF& margins);
    /// Where the data are painted.
    QRectF body() const;
    /// Where a point is painted, and what is painted at a position.
    QPointF positionOf(const QPointF& point) const;
    QPointF pointAt(const QPointF& position) const;

    QCPGraph* addLine(const std::vector<QPointF>& points, const QPen& pen);
    void addDots(const std::vector<QPointF>& points, double radius, const QPen& pen, const QBrush& brush);
    void addBars(const std::vector<QPointF>& points, double width, const QColor& color);
    /// Text, on a card or alone, with the side or corner that `alignment` names at a position.
    void addText(const QPointF& position, Qt::Alignment alignment, const QString& text, const QColor& color,
                 bool on_card = false);

private:
    void setAxis(QCPAxis& axis, const ChartAxis& numbers);

    QRectF area_;
    const Theme& look_;
    QFont font_; ///< of labels
    QCustomPlot plot_;
};

} // namespace attnlab::ui
