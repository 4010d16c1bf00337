#include "ui/drawing/colormap.h"

#include "core/lookup.h"
#include "ui/drawing/colormap_tables.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace attnlab::ui {
namespace {

/// The decades below the largest value that an automatic logarithmic range covers: with more, all important numbers
/// would have the same colour.
constexpr double log_depth = 1e-8;

bool isUsable(double low, double high) { return std::isfinite(low) && std::isfinite(high) && low != high; }

/// Also of numbers that differ by rounding alone, whose ticks would need all their digits.
bool isOneNumber(const ValueRange& range) {
    constexpr double rounding = 16.0 * std::numeric_limits<double>::epsilon();
    return range.high - range.low <= rounding * std::max(std::abs(range.low), std::abs(range.high));
}

void fitLinear(ColorScale& scale, const ValueRange& range, bool shares) {
    if (range.empty) {
        scale.low = scale.map->diverging ? -1.0 : 0.0;
        scale.high = 1.0;
    } else if (scale.map->diverging) {
        const double largest = std::max(std::abs(range.low), std::abs(range.high));
        scale.high = largest > 0.0 ? largest : 1.0;
        scale.low = -scale.high;
    } else if (isOneNumber(range)) {
        // A single number: the range extends to zero, so that its magnitude shows.
        scale.low = std::min(0.0, range.low);
        scale.high = std::max(0.0, range.high);
        if (scale.low == scale.high)
            scale.high = 1.0;
    } else {
        // Nearly even weights have to look even. Other numbers start at zero unless all of them are far from it.
        scale.low = range.low > 0.0 && (shares || range.low < range.high / 2.0) ? 0.0 : range.low;
        scale.high = range.high;
    }
}

void fitLogarithmic(ColorScale& scale, const ValueRange& range) {
    // Leaves room for smaller numbers above the denormal ones.
    constexpr double least = 16.0 * std::numeric_limits<double>::min();
    scale.high = !range.empty && range.high > 0.0 ? std::max(range.high, least) : 1.0;
    scale.low = range.empty || range.smallest_positive <= 0.0 ? scale.high * 1e-3 : range.smallest_positive;
    scale.low = std::max({scale.low, scale.high * log_depth, std::numeric_limits<double>::min()});
    if (scale.low >= scale.high)
        scale.low = scale.high / 10.0;
}

} // namespace

std::span<const Colormap> colormaps() {
    static const std::array<Colormap, 9> maps = {{{QStringLiteral("viridis"), false, viridis_colors},
                                                  {QStringLiteral("magma"), false, magma_colors},
                                                  {QStringLiteral("inferno"), false, inferno_colors},
                                                  {QStringLiteral("cividis"), false, cividis_colors},
                                                  {QStringLiteral("greys"), false, greys_colors},
                                                  {QStringLiteral("blues"), false, blues_colors},
                                                  {QStringLiteral("blue_red"), true, blue_red_colors},
                                                  {QStringLiteral("purple_orange"), true, purple_orange_colors},
                                                  {QStringLiteral("blue_red_dark"), true, blue_red_dark_colors}}};
    return maps;
}

const Colormap& colormap(const QString& id) {
    const Colormap* found = lookup(colormaps(), id, &Colormap::id);
    return found ? *found : colormaps().front();
}

OnScale::OnScale(const ColorScale& scale) : scale_(scale) {
    first_ = scale.logarithmic ? std::log(scale.low) : scale.low;
    span_ = (scale.logarithmic ? std::log(scale.high) : scale.high) - first_;
}

double OnScale::position(double value) const {
    const double low = scale_.low, high = scale_.high;
    if (scale_.logarithmic)
        return value > low ? std::min(1.0, (std::log(value) - first_) / span_) : 0.0;
    if (value <= low || value >= high)
        return value <= low ? 0.0 : 1.0;
    // The difference of extreme doubles overflows.
    return std::isinf(span_) ? (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0) : (value - low) / span_;
}

QRgb OnScale::color(double value) const {
    if (std::isnan(value))
        return qRgba(0, 0, 0, 0);
    return scale_.map->colors[static_cast<std::size_t>(std::min(255.0, position(value) * 256.0))];
}

double ColorScale::position(double value) const { return OnScale(*this).position(value); }

QRgb ColorScale::color(double value) const { return OnScale(*this).color(value); }

double ColorScale::valueAt(double position) const {
    if (logarithmic)
        return std::exp(std::log(low) + position * (std::log(high) - std::log(low)));
    return low * (1.0 - position) + high * position;
}

namespace {

/// Half of one of the 256 colours: a number so little beyond an end has the colour of the end anyway.
constexpr double unseen = 0.5 / 256.0;

} // namespace

bool ColorScale::hidesBelow() const {
    if (data_low >= low)
        return false;
    if (logarithmic)
        return data_low <= 0.0 || std::log(low / data_low) > unseen * std::log(high / low);
    return low / 2.0 - data_low / 2.0 > unseen * (high / 2.0 - low / 2.0);
}

bool ColorScale::hidesAbove() const {
    if (data_high <= high)
        return false;
    if (logarithmic)
        return std::log(data_high / high) > unseen * std::log(high / low);
    return data_high / 2.0 - high / 2.0 > unseen * (high / 2.0 - low / 2.0);
}

bool ColorScale::startsAboveZero() const { return !logarithmic && !(map && map->diverging) && low > 0.0; }

ColorScale shownOn(const Theme& look, ColorScale scale) {
    if (scale.automatic && scale.map && scale.map->diverging)
        scale.map = &colormap(look.dark ? QStringLiteral("blue_red_dark") : QStringLiteral("blue_red"));
    return scale;
}

void ColorScale::setData(const ValueRange& range) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    data_low = range.empty ? infinity : range.low;
    data_high = range.empty ? -infinity : range.high;
}

ColorScale colorScale(const ColorChoice& choice, const ValueRange& range, bool signed_values, bool shares) {
    // A logarithm has no zero to centre a diverging map on, so there it requires an explicit choice.
    const bool diverging = choice.colormap.isEmpty() && signed_values && !choice.logarithmic;
    ColorScale scale;
    scale.map = &colormap(diverging ? QStringLiteral("blue_red") : choice.colormap);
    scale.automatic = choice.colormap.isEmpty();
    scale.logarithmic = choice.logarithmic;
    scale.setData(range);
    if (scale.logarithmic)
        fitLogarithmic(scale, range);
    else
        fitLinear(scale, range, shares);
    if (choice.locked && isUsable(choice.low, choice.high)) {
        const auto [low, high] = std::minmax(choice.low, choice.high);
        if (!scale.logarithmic) {
            scale.low = low;
            scale.high = high;
        } else if (high > 0.0) {
            scale.high = high;
            scale.low = low > 0.0 ? low : std::min(scale.low, high / 10.0);
        }
    }
    return scale;
}

namespace {

/// Numbers below `seen_from` times the largest have nearly the colour of 0 in linear colours; the others come last.
std::span<double> hiddenOf(std::vector<double>& numbers, double largest, double seen_from) {
    const auto first_seen = std::partition(numbers.begin(), numbers.end(),
                                           [least = seen_from * largest](double one) { return one < least; });
    return {numbers.begin(), first_seen};
}

/// Their largest hundredth at least `ratio` times their smallest tenth.
bool differ(std::span<double> numbers, double ratio) {
    if (numbers.empty())
        return false;
    const auto quantile = [numbers](double share) {
        const auto at = numbers.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(numbers.size() - 1));
        std::ranges::nth_element(numbers, at);
        return *at;
    };
    const double large = quantile(0.99);
    return large > 0.0 && large >= ratio * quantile(0.1);
}

constexpr double clearly = 10.0, visibly = 3.0;

/// `most_seen`: the largest share of numbers that may stand out.
bool hides(std::vector<double>& numbers, double largest, double seen_from, double most_seen) {
    const double all = std::accumulate(numbers.begin(), numbers.end(), 0.0);
    const auto hidden = hiddenOf(numbers, largest, seen_from);
    const double seen = static_cast<double>(numbers.size() - hidden.size());
    const double held = std::accumulate(hidden.begin(), hidden.end(), 0.0);
    return (seen <= most_seen * static_cast<double>(numbers.size()) && differ(hidden, clearly)) ||
           (held > all / 2.0 && differ(hidden, visibly));
}

constexpr double most_seen_bins = 0.01;

} // namespace

bool linearHides(std::vector<double> bins) {
    constexpr double seen_from = 0.1; // a bin has few pixels
    return !bins.empty() && hides(bins, std::ranges::max(bins), seen_from, most_seen_bins);
}

bool linearHidesWeights(std::vector<double> weights, double side, double largest) {
    constexpr double seen_from = 0.05, lines = 1.75; // a diagonal of a triangle is longer than its side
    return hides(weights, largest, seen_from, std::max(most_seen_bins, lines / side));
}

std::size_t sampleStep(std::size_t cells, std::int64_t columns) {
    constexpr std::size_t sample_size = std::size_t{1} << 16;
    auto step = std::max<std::size_t>(1, cells / sample_size);
    while (std::gcd(step, static_cast<std::size_t>(columns)) > 1)
        ++step;
    return step;
}

ColorChoice choiceFor(bool linear_hides, ColorChoice choice) {
    choice.logarithmic = choice.logarithmic || (linear_hides && !choice.linear);
    return choice;
}

ColorScale heldTo(ColorScale held, const ColorScale& fitted) {
    if (!held.grown && held.map == fitted.map && held.low == fitted.low && held.high == fitted.high &&
        held.logarithmic == fitted.logarithmic)
        return fitted;
    held.data_low = fitted.data_low;
    held.data_high = fitted.data_high;
    held.held = true;
    return held;
}

ColorChoice choiceLike(ColorChoice choice, const ColorScale& shown) {
    choice.logarithmic = shown.logarithmic; // which it may be by itself
    if (!shown.held)
        return choice;
    choice.locked = true;
    choice.low = shown.low;
    choice.high = shown.high;
    const bool is_signed = shown.data_low < 0.0;
    if (shown.automatic && shown.map->diverging != is_signed)
        choice.colormap = shown.map->id; // these numbers alone would choose the other kind
    return choice;
}

} // namespace attnlab::ui
