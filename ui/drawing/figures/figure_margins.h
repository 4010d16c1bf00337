// Profiles beside a heatmap of a figure: a number for each row at its right, and for each column below it.
#pragma once

#include "ui/drawing/figures/figure.h"

#include <optional>
#include <QPolygonF>
#include <QRectF>
#include <QString>
#include <vector>

namespace attnlab::ui {

/// Of weights: the entropy of each row that is shares of 1, and the mean of each column over the rows that may read it.
/// NaN where a cell is hidden.
FigureMargins marginsOfWeights(const MatrixData& weights);

/// The numbers at both ends of a profile, of two digits.
struct MarginEnds {
    double low = 0.0, high = 1.0; ///< 0 is between them
    QString lowText() const;
    QString highText() const;
};

/// The profiles of all heatmaps of a figure, on common scales.
struct MarginSet {
    std::vector<std::optional<FigureMargins>> of; ///< of each heatmap
    std::optional<MarginEnds> rows, columns;      ///< nullopt: no heatmap has such numbers
    QString row_name, column_name;

    bool empty() const { return !rows && !columns; }
};
/// Empty unless the options ask for profiles.
MarginSet marginsOf(const FigurePanels& panels, const FigureOptions& options);

/// A profile as areas between its zero and its steps, in a strip: numbers grow to the right (Horizontal), or downwards.
std::vector<QPolygonF> marginAreas(const std::vector<double>& numbers, const MarginEnds& ends, const QRectF& strip,
                                   Qt::Orientation outwards);
/// The line at zero.
QLineF marginZero(const MarginEnds& ends, const QRectF& strip, Qt::Orientation outwards);

} // namespace attnlab::ui
