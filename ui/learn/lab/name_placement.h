// Places the names of arrows where they can be read.
#pragma once

#include <QFontMetricsF>
#include <QLineF>
#include <QRectF>
#include <QString>
#include <vector>

namespace attnlab::ui {

struct ArrowName {
    QString text;
    QLineF arrow;             ///< towards its tip
    bool along_arrow = false; ///< may also be beside the middle of the arrow
};

/// What names avoid: other names first, then arrows, then thin lines.
struct NameSurroundings {
    QRectF plane; ///< names do not leave it
    std::vector<QLineF> arrows;
    std::vector<QLineF> thin_lines;
};

/// The place of each name: beyond the tip of its arrow, or turned around the tip as far as it has to be.
std::vector<QRectF> placesOfNames(const std::vector<ArrowName>& names, const NameSurroundings& surroundings,
                                  const QFontMetricsF& metrics);

/// The length of a line inside a rectangle.
double lengthInside(const QLineF& line, const QRectF& rect);

} // namespace attnlab::ui
