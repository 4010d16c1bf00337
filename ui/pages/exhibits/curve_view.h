// Exhibit: a line through points, and where the present setting is on it.
#pragma once

#include "ui/drawing/drawing.h"
#include "ui/pages/exhibits/exhibit_page.h"

#include <optional>
#include <QCoreApplication>
#include <QString>
#include <vector>

namespace attnlab::ui {

class ChartPlot;

class CurveDrawing : public Drawing, public DrawnTable {
    Q_DECLARE_TR_FUNCTIONS(CurveDrawing)
public:
    QString x_title;
    QString y_title;
    std::vector<QPointF> points; ///< by ascending x, all finite, positive along a logarithmic axis
    std::optional<QPointF> present;
    std::optional<std::size_t> marked; ///< a point
    bool logarithmic_x = false;
    bool logarithmic_y = false;

    QSizeF smallest(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;

    const DrawnTable* drawnTable() const override { return this; }
    int rows() const override;
    int columns() const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellWords(int row, int column) const override;
    QRectF cellPlace(int row, int column, const QRectF& area, const QFont& font) const override;
    std::optional<std::pair<int, int>> markedCell() const override;

    /// The point nearest to a position along x.
    std::optional<std::size_t> pointAt(const QPointF& position, const QRectF& area, const QFont& font) const;
    QString pointText(const QPointF& point) const;

private:
    void setAxes(ChartPlot& chart) const;
    void addNumber(ChartPlot& chart, const QPointF& point, const Theme& look) const;
};

/// A line through points, and where the present setting is on it.
/// Left and Right mark a point, whose numbers are said in words.
class CurveView : public MarkingPage<CurveDrawing> {
    Q_OBJECT
public:
    explicit CurveView(QWidget* parent = nullptr);

protected:
    std::int64_t read() override;
    QString wordsNow() const override;
    std::optional<std::size_t> markAt(const QPointF& position) const override;

private:
    bool currentPointIsOnCurve() const;
};

} // namespace attnlab::ui
