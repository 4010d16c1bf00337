#include "ui/matrix/map/map_colors.h"

#include "ui/widgets/text.h"

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
    return colorScale(choice, range, false, true);
}

namespace {

/// ColorScale::color for many bins: the part that does not depend on the value is computed once, and a logarithm of the
/// largest weight is used without computing its power.
class BinColors {
public:
    BinColors(Pool pool, const ColorScale& scale, QRgb not_a_number)
        : pool_(pool), scale_(scale), not_a_number_(not_a_number) {
        const auto place = [&](double end) { return scale.logarithmic ? std::log2(end) : end; };
        low_ = place(scale.low);
        steps_ = 256.0 / (place(scale.high) - low_);
    }

    QRgb of(const MapBins& bins, std::size_t bin) const {
        if (bins.masked(bin))
            return 0;
        if (!(steps_ > 0.0 && steps_ < finest) || pool_ == Pool::Mean) {
            const double value = binValue(bins, bin, pool_);
            return std::isnan(value) ? not_a_number_ : scale_.color(value);
        }
        const float log2_max = bins.log2_max[bin];
        const double place = scale_.logarithmic ? static_cast<double>(log2_max) : std::exp2(log2_max);
        const double index = (place - low_) * steps_;
        return std::isnan(index) ? not_a_number_
                                 : scale_.map->colors[static_cast<std::size_t>(std::clamp(index, 0.0, 255.0))];
    }

private:
    static constexpr double finest = 1e30; ///< beyond it the power does not fit into float32

    Pool pool_;
    const ColorScale& scale_;
    QRgb not_a_number_;
    double low_, steps_; ///< a colour is one step
};

} // namespace

QImage imageOfBins(const MapBins& bins, Pool pool, const ColorScale& scale, QRgb not_a_number) {
    QImage image(static_cast<int>(bins.columns), static_cast<int>(bins.rows), QImage::Format_ARGB32_Premultiplied);
    const BinColors colors(pool, scale, not_a_number);
    for (std::int64_t row = 0; row < bins.rows; ++row) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(row)));
        for (std::int64_t column = 0; column < bins.columns; ++column)
            line[column] = colors.of(bins, bins.index(row, column));
    }
    return image;
}

MatrixData matrixOfBins(const MapBins& bins, const BinGrid& grid, Pool pool) {
    MatrixData data;
    data.values = Tensor({bins.rows, bins.columns}, 0.0, DType::Float32);
    data.blocked = Tensor({bins.rows, bins.columns}, 0.0, DType::Bool);
    const auto values = data.values.mutable_values();
    const auto blocked = data.blocked.mutable_values();
    for (std::size_t bin = 0; bin < values.size(); ++bin) {
        values[bin] = binValue(bins, bin, pool);
        blocked[bin] = bins.masked(bin) ? 1.0 : 0.0;
    }
    for (std::int64_t row = 0; row < bins.rows; ++row)
        data.row_labels << QString::number(grid.cells.first_row + row * grid.bin_rows);
    for (std::int64_t column = 0; column < bins.columns; ++column)
        data.column_labels << QString::number(grid.cells.first_column + column * grid.bin_columns);
    data.row_title = translated(title_of(Axis::Query));
    data.column_title = translated(title_of(Axis::Key));
    return data;
}

} // namespace attnlab::ui
