// Implements MapBins of attention_map.h: making, merging and summing bins.
#include "core/map/bin_total.h"

#include <algorithm>

namespace attnlab {
namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

std::int64_t bin_size(std::int64_t cells, std::int64_t bins) {
    return std::max<std::int64_t>(1, (cells + bins - 1) / bins);
}

} // namespace

CellRect BinGrid::bin(std::int64_t row, std::int64_t column) const {
    const auto first_row = cells.first_row + row * bin_rows, first_column = cells.first_column + column * bin_columns;
    return {first_row, std::min(first_row + bin_rows, cells.last_row), first_column,
            std::min(first_column + bin_columns, cells.last_column)};
}

BinGrid grid_of(const CellRect& cells, std::int64_t rows, std::int64_t columns) {
    if (rows < 1 || columns < 1)
        throw Error({ATTNLAB_TEXT("bins: there are %1 x %2, expected at least 1 x 1"),
                     {std::to_string(rows), std::to_string(columns)}});
    return {cells, bin_size(cells.rows(), std::min(rows, std::max<std::int64_t>(1, cells.rows()))),
            bin_size(cells.columns(), std::min(columns, std::max<std::int64_t>(1, cells.columns())))};
}

float MapBins::max(std::size_t bin) const { return std::exp2(log2_max[bin]); }

float MapBins::mean(std::size_t bin) const { return masked(bin) ? not_a_number : sum[bin] / kept[bin]; }

std::vector<float> MapBins::values(Pool pool) const {
    std::vector<float> all(kept.size());
    for (std::size_t bin = 0; bin < all.size(); ++bin)
        all[bin] = pool == Pool::Max ? max(bin) : mean(bin);
    return all;
}

MapBins bins_of(std::int64_t rows, std::int64_t columns, bool sums) {
    const auto count = static_cast<std::size_t>(rows * columns);
    return {rows, columns, std::vector<float>(count), std::vector<float>(sums ? count : 0), std::vector<float>(count)};
}

MapBins coarser(const MapBins& bins, std::int64_t rows, std::int64_t columns) {
    auto merged = bins_of((bins.rows + rows - 1) / rows, (bins.columns + columns - 1) / columns, !bins.sum.empty());
    std::vector<BinTotal> totals(merged.kept.size());
    for (std::int64_t row = 0; row < bins.rows; ++row)
        for (std::int64_t column = 0; column < bins.columns; ++column)
            totals[merged.index(row / rows, column / columns)].take(bins, bins.index(row, column));
    for (std::size_t bin = 0; bin < totals.size(); ++bin)
        totals[bin].put(merged, bin);
    return merged;
}

MapBins row_profile(const MapBins& bins) {
    auto profile = bins_of(bins.rows, 1, !bins.sum.empty());
    for (std::int64_t row = 0; row < bins.rows; ++row) {
        BinTotal total;
        for (std::int64_t column = 0; column < bins.columns; ++column)
            total.take(bins, bins.index(row, column));
        total.put(profile, static_cast<std::size_t>(row));
    }
    return profile;
}

MapBins column_profile(const MapBins& bins) {
    auto profile = bins_of(1, bins.columns, !bins.sum.empty());
    std::vector<BinTotal> totals(static_cast<std::size_t>(bins.columns));
    for (std::int64_t row = 0; row < bins.rows; ++row)
        for (std::int64_t column = 0; column < bins.columns; ++column)
            totals[static_cast<std::size_t>(column)].take(bins, bins.index(row, column));
    for (std::size_t column = 0; column < totals.size(); ++column)
        totals[column].put(profile, column);
    return profile;
}

} // namespace attnlab
