// Horizontal bars, each with a name and numbers: the drawing, and a widget for a row of weights.
#pragma once

#include "ui/drawing/colormap.h"
#include "ui/drawing/drawing.h"
#include "ui/drawing/drawing_canvas.h"

#include <optional>
#include <QString>
#include <QStringList>
#include <vector>

namespace attnlab::ui {

/// One bar per row, from a common zero. Columns: name, number before the bar, bar, numbers behind it. Rows keep their
/// height whatever the area; only with names above the bars do they share the height of the area.
class BarsDrawing : public Drawing {
public:
    struct Row {
        QString name;
        double value = 0.0;                             ///< between `low` and `high`; no bar if it is 0 or not finite
        QStringList numbers = {};                       ///< behind the bar, one for each column
        QString number_before = {};                     ///< between name and bar
        std::optional<double> reference = std::nullopt; ///< a frame with this length
        int color = -1;                                 ///< of seriesColor(); -1: the accent
        bool wrong = false;                             ///< painted as an error
        bool blocked = false;                           ///< a hatched stub with the first number instead of a bar
        QString help = {};                              ///< for textAt()
    };
    enum class Names { BeforeBars, AtLeftEdge, AboveBars };

    QString heading;             ///< above the bars
    QString name_heading;        ///< above the names, with the heading of the numbers before the bars
    QString heading_before;      ///< above the numbers before the bars
    QStringList number_headings; ///< above the numbers behind the bars
    std::vector<Row> rows;
    QString rest; ///< a line below the bars, about rows that are left out
    double low = 0.0, high = 1.0;
    int marked = -1;   ///< the highlighted row
    int selected = -1; ///< the row with a coloured background

    Names names = Names::BeforeBars;
    bool whole_length = false;       ///< paints the whole length from `low` to `high` behind each bar
    bool colored_names = false;      ///< names have the colours of their bars, unless that is the accent
    double row_lines = 1.15;         ///< height of a row in heights of the text
    QStringList other_names;         ///< those of charts below each other, whose bars begin at one place
    bool aligns_points = false;      ///< the decimal points of a column of numbers are below each other
    QString widest_number;           ///< the same for the end of the bars: leaves room for this number
    std::optional<ColorScale> scale; ///< bars have the colour of their value, and an outline

    /// Sets `low` and `high` so that all finite values and 0 fit.
    void fitRange();

    QSizeF smallest(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;

    double rowHeight(const QFont& font) const;
    /// The row at a position; -1 if there is none.
    int rowAt(const QPointF& position, const QRectF& area, const QFont& font) const;
    /// Where a bar, or the stub of a blocked one, is painted; empty for rows that do not exist.
    QRectF barRect(int row, const QRectF& area, const QFont& font) const;
    /// The middle of the line around the reference; empty for rows without one.
    QRectF frameRect(int row, const QRectF& area, const QFont& font) const;

private:
    struct Layout;
    Layout layoutIn(const QRectF& area, const QFont& font) const;
    static double behindNumber(const QString& number, std::size_t column, const Layout& layout);
    QRectF barIn(const Row& row, std::size_t index, const Layout& layout) const;
    QRectF frameIn(const Row& row, const QRectF& bar, const Layout& layout) const;
    bool frameCrossesWord(const Row& row, const Layout& layout) const;
    bool hasHeading() const;
    void paintHeadings(QPainter& painter, const Layout& layout, const DrawingStyle& style) const;
    void paintRow(QPainter& painter, std::size_t index, const Layout& layout, const DrawingStyle& style) const;
    void paintBar(QPainter& painter, const Row& row, const QRectF& bar, const Layout& layout,
                  const DrawingStyle& style) const;
    void paintBlocked(QPainter& painter, const Row& row, const QRectF& bar, const Layout& layout,
                      const Theme& look) const;
    void paintFrame(QPainter& painter, const QRectF& frame, const QRectF& bar, const QColor& inside,
                    const Theme& look) const;
};

struct Bar {
    QString label;
    double value = 0.0;
    bool blocked = false;
    std::optional<double> before = std::nullopt; ///< an earlier value, as a frame
};

/// Bars from the top in the given order or from the largest, at most `limit` of them (the largest; a line says how many
/// are not shown). Height follows the number of bars; label, bar, number in three aligned columns. Lengths are
/// proportional to the values, from zero, whatever the ends of the colour scale. One stop for Tab: the arrow keys go
/// from bar to bar, Enter is a click. The accessible name has the title and the numbers on show.
class BarChart : public DrawingCanvas {
    Q_OBJECT
public:
    explicit BarChart(QWidget* parent = nullptr);
    /// `left_out` more, all of them smaller, are only counted.
    void setBars(std::vector<Bar> bars, const ColorScale& scale, int highlighted = -1, int left_out = 0);
    const std::vector<Bar>& bars() const { return bars_; }
    void setLimit(int limit);
    /// Values that the next bars leave room for, with 0 between them.
    void setReach(double low, double high);
    enum class Order { Given, Largest };
    void setOrder(Order order);
    /// What the bars are, for screen readers.
    void setTitle(const QString& title);

    /// Indices into bars() of the rows on show, from the top.
    const std::vector<int>& shownBars() const { return shown_; }
    /// Where a bar (or the stub of a blocked one) is painted; empty for one that is not shown.
    QRectF barRect(int index) const;
    /// The line below the bars, empty when all are shown.
    QString omissionText() const;
    /// "label: exact value", a line for each bar on show: what screen readers get.
    QString textOfBars() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void barHovered(int index); ///< -1: none
    void barClicked(int index);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    int barAt(const QPointF& position) const;
    /// The row on show of a bar; -1 if it is not shown.
    int rowOf(int index) const;
    std::vector<int> largestBars() const;
    void setHovered(int index);
    void chooseShown();
    void say();
    void sayHovered();
    void step(int rows);
    static QString textOfBar(const Bar& bar);

    std::vector<Bar> bars_;
    std::vector<int> shown_;
    BarsDrawing drawing_;
    int highlighted_ = -1;
    int hovered_ = -1;
    int left_out_ = 0;
    int limit_ = 24;
    double reach_low_ = 0.0, reach_high_ = 0.0;
    Order order_ = Order::Given;
    QString title_;
};

} // namespace attnlab::ui
