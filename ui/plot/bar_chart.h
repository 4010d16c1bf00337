// A row of weights as horizontal bars with labels.
#pragma once

#include "ui/plot/colormap.h"

#include <QStringList>
#include <QWidget>

#include <vector>

namespace attnlab::ui {

struct Bar {
    QString label;
    double value = 0.0;
    bool blocked = false;
};

/// Bars from the top in the given order, at most `limit` of them (the largest; a line says how many are not shown).
/// Height follows the number of bars; label, bar, number in three aligned columns.
class BarChart : public QWidget {
    Q_OBJECT
public:
    explicit BarChart(QWidget* parent = nullptr);
    void setBars(std::vector<Bar> bars, const ColorScale& scale, int highlighted = -1);
    const std::vector<Bar>& bars() const { return bars_; }
    void setLimit(int limit);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void barHovered(int index);   ///< -1: none
    void barClicked(int index);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    std::vector<Bar> bars_;
    ColorScale scale_;
    int highlighted_ = -1;
    int limit_ = 24;
};

} // namespace attnlab::ui
