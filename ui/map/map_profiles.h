// What the rows and the columns in sight of a map hold.
#pragma once

#include "core/map/map_pyramid.h"

namespace attnlab::ui {

/// The pooled weight of each row and column of bins in sight; NaN where nothing is kept.
struct MapProfiles {
    std::vector<double> rows, columns;
    std::int64_t first_row = 0, first_column = 0; ///< in bins
    std::int64_t bin_rows = 1, bin_columns = 1;   ///< cells of a bin
};

/// A tile that is there.
using TileBins = std::pair<MapTile, MapPyramid::Bins>;

/// Of the cells of `seen`, taken from tiles of one level, whose bins are as large as those of `seen`; cells in no tile
/// count as masked.
MapProfiles profilesOf(const std::vector<TileBins>& tiles, const BinGrid& seen, Pool pool);

} // namespace attnlab::ui
