// What the rows and the columns in sight of a map hold.
#pragma once

#include "core/map/map_pyramid.h"
#include "ui/matrix/matrix_source.h"

namespace attnlab::ui {

/// A tile that is there.
using TileBins = std::pair<MapTile, MapPyramid::Bins>;

/// Of the cells of `seen`, taken from tiles of one level, whose bins are as large as those of `seen`; cells in no tile
/// count as masked.
MatrixProfiles profilesOf(const std::vector<TileBins>& tiles, const BinGrid& seen, Pool pool);

} // namespace attnlab::ui
