// Costs of a cache: a panel for each, with a bar or a line for each setting.
#pragma once

#include "core/attention.h"
#include "ui/drawing/line_chart_drawing.h"

#include <QStringList>

#include <vector>

namespace attnlab::ui {

class CostsDrawing : public Drawing {
    Q_DECLARE_TR_FUNCTIONS(CostsDrawing)
public:
    struct Bar {
        QString name;
        int color = 0; ///< of seriesColor()
        double value = 0.0;
    };
    /// Bars from 0 to `most`; where there are none, lines.
    struct Panel {
        QString title;
        std::vector<Bar> bars;
        double most = 1.0;
        Measure::Unit unit = Measure::Unit::Number;
        LineChartDrawing lines = {};
    };
    std::vector<Panel> panels;

    QSizeF smallest(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;
    /// All panels: a line for each bar, and for each line at its marker.
    QString words() const;

private:
    QRectF placeOf(std::size_t panel, const QRectF& area, const QFont& font) const;
    static QRectF bodyOf(const QRectF& panel, const QFont& font);
    static QString textOf(const Panel& panel);
    void paintBars(QPainter& painter, const Panel& panel, const QRectF& area, const DrawingStyle& style) const;
};

} // namespace attnlab::ui
