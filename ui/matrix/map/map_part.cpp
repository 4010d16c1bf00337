#include "ui/matrix/map/map_part.h"

#include <algorithm>

namespace attnlab::ui {

std::shared_ptr<const MapPart> partOf(const BinGrid& grid, const MapBins& bins, std::int64_t all_rows) {
    constexpr std::int64_t most = 512; // bins along the side of a map
    const auto rows = std::max<std::int64_t>(1, all_rows / grid.bin_rows / most);
    const auto columns = std::max<std::int64_t>(1, bins.columns / most);
    return std::make_shared<const MapPart>(
        MapPart{{grid.cells, grid.bin_rows * rows, grid.bin_columns * columns}, coarser(bins, rows, columns)});
}

} // namespace attnlab::ui
