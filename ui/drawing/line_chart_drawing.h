// Line charts by QCustomPlot, for windows and files.
#pragma once

#include "ui/drawing/color_bar.h"
#include "ui/drawing/drawing.h"

#include <functional>
#include <optional>
#include <QColor>
#include <QCoreApplication>
#include <qcustomplot.h>
#include <QPointF>
#include <vector>

namespace attnlab::ui {

/// A number of numberText() as it is printed: "9.78·10⁻⁷" for "9.78e−7", "10⁻⁵" for "1e−5".
QString printedNumber(const QString& text);

/// Returns the factor by which lines of a chart with this font are thicker than usual: more than 1 for large letters,
/// such as those of a presentation.
double lineScale(const QFont& font);

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
    /// From data to painted positions, and back.
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

// Lines against one number that doubles from tick to tick, each named at its right end.

/// The colour of the series `index` (as many as anyone tells apart, then from the first again); at least 3:1 against
/// the card.
QColor seriesColor(int index, const Theme& look);

struct ChartLine {
    QString name;
    int color = 0;                  ///< of seriesColor()
    std::vector<QPointF> points;    ///< by ascending x > 0; those that are not finite are left out
    std::optional<double> now = {}; ///< at the marker: of what is on show, which need not be on the line
};

class LineChartDrawing : public Drawing {
    Q_DECLARE_TR_FUNCTIONS(LineChartDrawing)
public:
    QString x_title;
    std::vector<ChartLine> lines;
    std::vector<QPointF> reference; ///< a dashed line behind them, by ascending x; empty: none
    QString reference_title;
    std::optional<double> marker;  ///< highlighted x: the present one
    std::optional<double> hovered; ///< an x that the mouse is at
    bool logarithmic_y = false;    ///< where all numbers are positive
    bool marks_lines = true;       ///< dots where the marker meets a point of a line; else only dots of what is on show

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
    void addReferenceTitle(ChartPlot& chart, const Theme& look) const;
    void addMarks(ChartPlot& chart, const Theme& look, double wide) const;
};

} // namespace attnlab::ui
