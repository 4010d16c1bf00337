// Horizontal bars, each with a name and numbers.
#pragma once

#include "ui/drawing/colormap.h"
#include "ui/drawing/drawing.h"

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
    bool colored_names = false;      ///< names have the colours of their bars
    double row_lines = 1.15;         ///< height of a row in heights of the text
    int name_letters = 0;            ///< width of the names in average letters; 0: as the longest needs
    QString widest_number;           ///< leaves room for this number, so that charts below each other are aligned
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

private:
    struct Layout;
    Layout layoutIn(const QRectF& area, const QFont& font) const;
    QRectF barIn(const Row& row, std::size_t index, const Layout& layout) const;
    bool hasHeading() const;
    void paintHeadings(QPainter& painter, const Layout& layout, const DrawingStyle& style) const;
    void paintRow(QPainter& painter, std::size_t index, const Layout& layout, const DrawingStyle& style) const;
    void paintBar(QPainter& painter, const Row& row, const QRectF& bar, const Layout& layout,
                  const DrawingStyle& style) const;
};

} // namespace attnlab::ui
