#include "ui/map/map_colors.h"

#include <algorithm>
#include <cmath>

namespace attnlab::ui {

double binValue(const MapBins& bins, std::size_t bin, Pool pool) {
    if (bins.masked(bin))
        return std::numeric_limits<double>::quiet_NaN();
    if (pool == Pool::Max || bins.sum.empty())
        return std::exp2(static_cast<double>(bins.log2_max[bin]));
    return static_cast<double>(bins.sum[bin]) / static_cast<double>(bins.kept[bin]);
}

void includeBins(ValueRange& range, const MapBins& bins, Pool pool) {
    const auto count = static_cast<std::size_t>(bins.rows * bins.columns);
    for (std::size_t bin = 0; bin < count; ++bin)
        range.include(binValue(bins, bin, pool));
}

ColorScale mapScale(const ColorChoice& choice, ValueRange range) {
    constexpr double most_decades = 1e-12;
    range.smallest_positive = std::max(range.smallest_positive, range.high * most_decades);
    if (!choice.logarithmic && !range.empty)
        range.low = 0.0;
    return colorScale(choice, range, false);
}

QImage imageOfBins(const MapBins& bins, Pool pool, const ColorScale& scale) {
    QImage image(static_cast<int>(bins.columns), static_cast<int>(bins.rows), QImage::Format_ARGB32);
    for (std::int64_t row = 0; row < bins.rows; ++row) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(row)));
        for (std::int64_t column = 0; column < bins.columns; ++column)
            line[column] = scale.color(binValue(bins, bins.index(row, column), pool));
    }
    return image;
}

} // namespace attnlab::ui
