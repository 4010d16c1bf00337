// Painting tools for the parts of a StepDrawing.
#pragma once

#include "ui/drawing/heatmap_layout.h"
#include "ui/pages/step/step_drawing.h"

#include <QFontMetricsF>
#include <QPainter>

#include <functional>

namespace attnlab::ui {

struct StepDrawing::Pen {
    QPainter& painter;
    const DrawingStyle& style;
    const StepLayout& at;
    QFont small;
    QFontMetricsF metrics;

    /// A number on its colour, or on a hatch.
    void cell(const QRectF& rect, double value, const ColorScale& scale, bool hatched) const;
    /// An empty cell for a number that is not computed yet.
    void empty(const QRectF& rect) const;
    void text(const QRectF& rect, Qt::Alignment alignment, const QString& words, const QColor& color) const;
    QRectF column(const QRectF& row, std::int64_t key) const {
        return {row.left() + static_cast<double>(key - at.first_key) * at.cell_width, row.top(), at.cell_width,
                row.height()};
    }
    QRectF titleOf(const QRectF& row) const {
        return {at.titles.left(), row.top(), at.titles.width() - 6.0, row.height()};
    }
    QRectF asideOf(const QRectF& row) const {
        return {at.aside.left() + 6.0, row.top(), at.aside.width() - 6.0, row.height()};
    }
};

/// A matrix below the ledger, in the columns of its keys.
struct StepDrawing::Grid {
    QString caption;
    std::int64_t rows = 0;
    std::function<QString(std::int64_t row)> title;
    std::function<double(std::int64_t row, std::int64_t key)> value;
    std::function<std::optional<double>(std::int64_t row)> sum; ///< shown right of the row
    std::int64_t reached = 0;                                   ///< keys
};

} // namespace attnlab::ui
