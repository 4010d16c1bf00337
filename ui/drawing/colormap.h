// Maps numbers to colours.
#pragma once

#include "ui/document/view_state.h"

#include <QColor>
#include <QString>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace attnlab::ui {

struct Theme;

/// 256 colours of a perceptually ordered map.
struct Colormap {
    QString id;     ///< "viridis", "blue_red"
    bool diverging; ///< its middle represents zero
    std::array<QRgb, 256> colors;
};

std::span<const Colormap> colormaps(); ///< readable for the colour-blind, too (ui.colormap)
/// The map called `id`, or viridis.
const Colormap& colormap(const QString& id);

/// A colormap with the numbers of its two ends.
struct ColorScale {
    const Colormap* map = nullptr; ///< never null when made by a function below
    double low = 0.0;
    double high = 1.0;
    bool logarithmic = false; ///< requires low > 0
    bool automatic = false;   ///< nobody chose the map: shownOn() may replace it
    /// The smallest and the largest number that are drawn with it. `low` above `high`: unknown, or there are none.
    double data_low = std::numeric_limits<double>::infinity();
    double data_high = -std::numeric_limits<double>::infinity();
    QString title = {};        ///< of the colour bar; empty: none
    bool held = false;         ///< the ends are from numbers before the present ones, if not grown to these
    bool grown = false;        ///< held ends moved apart for numbers far beyond them
    bool linear_hides = false; ///< linearHides() these numbers: logarithmic unless the user has chosen

    bool operator==(const ColorScale&) const = default;
    /// NaN gives a transparent colour; numbers beyond the ends, and those without a logarithm, get the colour of the
    /// end.
    QRgb color(double value) const;
    /// The position of a value (not NaN) between the ends, 0 to 1, and back.
    double position(double value) const;
    double valueAt(double position) const;
    void setData(const ValueRange& range);
    /// Numbers beyond an end, which have the colour of that end although a wider scale would show them in another.
    bool hidesBelow() const;
    bool hidesAbove() const;
    /// Positive numbers from an end above 0, which looks like 0 and has to be said.
    bool startsAboveZero() const;
};

/// Places many numbers on a scale: what they share is computed once.
class OnScale {
public:
    explicit OnScale(const ColorScale& scale);
    double position(double value) const; ///< as ColorScale::position
    QRgb color(double value) const;      ///< as ColorScale::color

private:
    const ColorScale& scale_;
    double first_ = 0.0; ///< of `low`, as its logarithm where the scale is logarithmic
    double span_ = 1.0;  ///< to `high`
};

/// The scale for painting on a light or a dark background: white in the middle of a diverging map would glare on a dark
/// one, so an automatic scale has a map with a dark middle there. Whatever paints for a Theme calls this.
ColorScale shownOn(const Theme& look, ColorScale scale);

/// The scale for a range and the user's choice. An empty colormap id means: `signed_values` ? diverging, centred on
/// zero : viridis. A diverging map is always centred on zero unless the range is locked; positive numbers start at zero
/// if they are `shares` (weights), or unless all are at least half of the largest. For any range (empty, one number,
/// nothing positive under a logarithm), the ends are finite and low < high; an invalid locked range is ignored.
ColorScale colorScale(const ColorChoice& choice, const ValueRange& range, bool signed_values, bool shares = false);

// Numbers that linear colours show as one.

/// Where pooled weights need logarithmic colours: at most one bin in a hundred reaches a tenth of the largest
/// weight, so that linear colours show all others as one; and these differ, their largest hundredth at least ten times
/// from their smallest tenth. Or the others hold more than half of the sum of all bins, as for random keys, and differ
/// at least three times. False for few bright bins on an even ground, where a logarithm shows nothing more. Masked bins
/// do not count.
bool linearHides(std::vector<double> bins);
/// The same for a sample of the single weights of matrices with side x side of them, none negative, and the largest
/// weight of all. A weight is seen if it is at least a twentieth of the largest one. One row, one column or one
/// diagonal of bright cells, as of a sink, may be seen.
bool linearHidesWeights(std::vector<double> weights, double side, double largest);
/// Smaller matrices have large cells, with their numbers.
inline constexpr std::int64_t least_hidden_cells = 1024;
/// From one cell of such a sample to the next, row by row; all columns are in it alike.
std::size_t sampleStep(std::size_t cells, std::int64_t columns);
/// The choice for numbers that linear colours hide: logarithmic, unless the user has chosen otherwise.
ColorChoice choiceFor(bool linear_hides, ColorChoice choice);

/// The scale `held` of numbers before, for numbers that would have `fitted`.
ColorScale heldTo(ColorScale held, const ColorScale& fitted);
/// The choice that makes `shown` again, for the same numbers in a file.
ColorChoice choiceLike(ColorChoice choice, const ColorScale& shown);

} // namespace attnlab::ui
