#include "ui/matrix/map/map_profiles.h"

#include "core/map/bin_total.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab::ui {
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
