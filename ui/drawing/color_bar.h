// The bar that maps colours to numbers, and its round ticks.
#pragma once

#include "ui/drawing/colormap.h"

#include <cstdint>
#include <QString>
#include <vector>

namespace attnlab::ui {

/// The smallest of 1, 2 and 5 times a power of ten that is at least `least`, which must be positive.
double roundStep(double least);
/// The same for integers: 1 to 10^9.
std::int64_t integerRoundStep(double least);

} // namespace attnlab::ui

// The bar that maps colours to numbers.

class QFont;
class QPainter;
class QRectF;

namespace attnlab::ui {

struct Theme;

struct Tick {
    double value = 0.0;
    QString text;
};

/// Round numbers between the ends of the scale, at most `most` of them (at least 2), ascending. A logarithmic scale
/// gets powers of ten, or 1, 2, 5 within few decades.
std::vector<Tick> ticksOf(const ColorScale& scale, int most);

/// The numbers beside a bar of this height: ticksOf and both ends, all with one number of digits.
std::vector<Tick> barTicks(const ColorScale& scale, const QFont& font, double height);
/// Width of the bar with its numbers beside it.
double colorBarWidth(const ColorScale& scale, const QFont& font, double height);
/// How far a pointed end extends beyond the bar.
inline constexpr double pointed_end = 7.0;
/// The colours alone, with the low end at the left or at the bottom. Broken there if they do not start at 0, though
/// they might. An end is pointed where numbers lie beyond it.
void paintColors(QPainter& painter, const QRectF& bar, const ColorScale& scale, Qt::Orientation along,
                 const Theme& look);
/// The bar is as high as `area`, at its left; numbers are at its right, and along it its title. A bar that is broken
/// says so in its title.
void paintColorBar(QPainter& painter, const QRectF& area, const ColorScale& scale, const QFont& font,
                   const Theme& look);

/// A slim bar of a figure with its numbers and its title: vertical, with the numbers at its right, or horizontal, with
/// them below. `length` is along the bar.
double figureBarDepth(const ColorScale& scale, const QFont& font, double length, Qt::Orientation along);
void paintFigureBar(QPainter& painter, const QRectF& area, const ColorScale& scale, const QFont& font,
                    const Theme& look, Qt::Orientation along);

/// "Numbers up to 0.98 have the colour of 0.69."; empty where no numbers lie beyond the ends.
QString hiddenWords(const ColorScale& scale);

} // namespace attnlab::ui
