// Pooled weights for the screen: parts of a map, colours, images and profiles.
#pragma once

#include "core/map/attention_map.h"
#include "core/map/map_pyramid.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/matrix_data.h"
#include "ui/matrix/matrix_source.h"

#include <memory>
#include <QImage>
#include <vector>

namespace attnlab::ui {

/// In bins suitable for a screen.
struct MapPart {
    BinGrid grid;
    MapBins bins;
};

/// Made from the bins of some rows of cells; the whole map has `all_rows` rows.
std::shared_ptr<const MapPart> partOf(const BinGrid& grid, const MapBins& bins, std::int64_t all_rows);

using MapParts = std::vector<std::shared_ptr<const MapPart>>;

// Converts pooled weights to colours.

/// The pooled weight of a bin as double, which keeps numbers that float32 would round to 0. NaN where masked.
double binValue(const MapBins& bins, std::size_t bin, Pool pool);

/// Extends a range by every bin that is not masked.
void includeBins(ValueRange& range, const MapBins& bins, Pool pool);

/// The bins that are not masked.
void appendBins(std::vector<double>& values, const MapBins& bins, Pool pool);

/// The scale for a common range of all tiles. A logarithm covers at most twelve decades: with more, the largest weights
/// would share one colour.
ColorScale mapScale(const ColorChoice& choice, ValueRange range);

/// The size that 99 in 100 of the bins do not exceed, or the largest one if that is 0.
double usualDifference(std::vector<double> bins);
/// The scale of B − A, centred on 0: that of the choice where it is locked, and otherwise to `usual`.
ColorScale differenceScale(ColorChoice choice, const ValueRange& range, double usual);

/// One pixel a bin; masked bins are transparent for a hatch below them. Kept bins that are NaN have the colour
/// `not_a_number`.
QImage imageOfBins(const MapBins& bins, Pool pool, const ColorScale& scale, QRgb not_a_number = 0);

/// The bins as a matrix whose rows and columns have the numbers of their first cells.
MatrixData matrixOfBins(const MapBins& bins, const BinGrid& grid, Pool pool);

// Profiles of the visible rows and columns of a map.

/// An available tile.
using TileBins = std::pair<MapTile, MapPyramid::Bins>;

/// For the cells of `seen`, from tiles of one level with the bin size of `seen`; cells in no tile count as masked.
MatrixProfiles profilesOf(const std::vector<TileBins>& tiles, const BinGrid& seen, Pool pool);

} // namespace attnlab::ui
