#include "ui/matrix/map/screen_bins.h"

#include "core/map/bin_totals.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab::ui {

std::shared_ptr<const MapPart> partOf(const BinGrid& grid, const MapBins& bins, std::int64_t all_rows) {
    constexpr std::int64_t most = 512; // bins along the side of a map
    const auto rows = std::max<std::int64_t>(1, all_rows / grid.bin_rows / most);
    const auto columns = std::max<std::int64_t>(1, bins.columns / most);
    return std::make_shared<const MapPart>(
        MapPart{{grid.cells, grid.bin_rows * rows, grid.bin_columns * columns}, coarser(bins, rows, columns)});
}

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

void appendBins(std::vector<double>& values, const MapBins& bins, Pool pool) {
    const auto count = static_cast<std::size_t>(bins.rows * bins.columns);
    for (std::size_t bin = 0; bin < count; ++bin)
        if (const double value = binValue(bins, bin, pool); std::isfinite(value))
            values.push_back(value);
}

double usualDifference(std::vector<double> bins) {
    for (double& bin : bins)
        bin = std::abs(bin);
    if (bins.empty())
        return 0.0;
    const auto at = bins.begin() + static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(bins.size() - 1));
    std::ranges::nth_element(bins, at);
    return *at > 0.0 ? *at : std::ranges::max(bins);
}

ColorScale differenceScale(ColorChoice choice, const ValueRange& range, double usual) {
    choice.logarithmic = false; // numbers of both signs
    if (!choice.locked && usual > 0.0) {
        choice.locked = true;
        choice.low = -usual;
        choice.high = usual;
    }
    return colorScale(choice, range, true);
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
    data.first_row = grid.cells.first_row;
    data.row_step = grid.bin_rows;
    data.first_column = grid.cells.first_column;
    data.column_step = grid.bin_columns;
    data.row_title = translated(title_of(Axis::Query));
    data.column_title = translated(title_of(Axis::Key));
    return data;
}

namespace {

double valueOf(const BinTotal& total, Pool pool) {
    if (total.kept == 0.0)
        return std::numeric_limits<double>::quiet_NaN();
    return pool == Pool::Max ? std::exp2(static_cast<double>(total.log2_max)) : total.sum / total.kept;
}

std::vector<double> valuesOf(const std::vector<BinTotal>& totals, Pool pool) {
    std::vector<double> values;
    values.reserve(totals.size());
    for (const auto& total : totals)
        values.push_back(valueOf(total, pool));
    return values;
}

} // namespace

MatrixProfiles profilesOf(const std::vector<TileBins>& tiles, const BinGrid& seen, Pool pool) {
    MatrixProfiles result;
    result.means = pool == Pool::Mean;
    const CellRect& cells = seen.cells;
    if (cells.rows() <= 0 || cells.columns() <= 0)
        return result;
    result.bin_rows = seen.bin_rows;
    result.bin_columns = seen.bin_columns;
    result.first_row = cells.first_row / seen.bin_rows;
    result.first_column = cells.first_column / seen.bin_columns;
    const auto last_row = (cells.last_row - 1) / seen.bin_rows + 1;
    const auto last_column = (cells.last_column - 1) / seen.bin_columns + 1;
    std::vector<BinTotal> rows(static_cast<std::size_t>(last_row - result.first_row));
    std::vector<BinTotal> columns(static_cast<std::size_t>(last_column - result.first_column));
    for (const auto& [tile, bins] : tiles) {
        const auto top = tile.row * MapPyramid::tile_bins, left = tile.column * MapPyramid::tile_bins;
        for (auto row = std::max(top, result.first_row); row < std::min(top + bins->rows, last_row); ++row) {
            auto& of_row = rows[static_cast<std::size_t>(row - result.first_row)];
            for (auto column = std::max(left, result.first_column);
                 column < std::min(left + bins->columns, last_column); ++column) {
                const auto bin = bins->index(row - top, column - left);
                of_row.take(*bins, bin);
                columns[static_cast<std::size_t>(column - result.first_column)].take(*bins, bin);
            }
        }
    }
    result.rows = valuesOf(rows, pool);
    result.columns = valuesOf(columns, pool);
    return result;
}

} // namespace attnlab::ui
