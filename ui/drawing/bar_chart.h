// A row of weights as horizontal bars with labels.
#pragma once

#include "ui/drawing/bars_drawing.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/drawing_canvas.h"

#include <optional>
#include <QStringList>

#include <vector>

namespace attnlab::ui {

struct Bar {
    QString label;
    double value = 0.0;
    bool blocked = false;
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
    Order order_ = Order::Given;
    QString title_;
};

} // namespace attnlab::ui
