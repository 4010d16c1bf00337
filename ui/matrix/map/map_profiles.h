// Profiles of the visible rows and columns of a map.
#pragma once

#include "core/map/map_pyramid.h"
#include "ui/matrix/matrix_source.h"

namespace attnlab::ui {

/// An available tile.
using TileBins = std::pair<MapTile, MapPyramid::Bins>;

/// For the cells of `seen`, from tiles of one level with the bin size of `seen`; cells in no tile count as masked.
MatrixProfiles profilesOf(const std::vector<TileBins>& tiles, const BinGrid& seen, Pool pool);

} // namespace attnlab::ui
