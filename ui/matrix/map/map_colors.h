// From pooled weights to colours.
#pragma once

#include "core/map/attention_map.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/matrix_data.h"

#include <QImage>

namespace attnlab::ui {

/// What a bin shows: the pooled weight as double, which holds what float32 would round to 0. NaN where masked.
double binValue(const MapBins& bins, std::size_t bin, Pool pool);

/// Takes every bin that is not masked into a range.
void includeBins(ValueRange& range, const MapBins& bins, Pool pool);

/// The scale for one colour range over all tiles. A logarithm spans at most twelve decades: beyond that the largest
/// weights would share one colour.
ColorScale mapScale(const ColorChoice& choice, ValueRange range);

/// One pixel a bin; masked bins are transparent, so that a hatch behind them shows. Bins that are kept but no number
/// have the colour `not_a_number`.
QImage imageOfBins(const MapBins& bins, Pool pool, const ColorScale& scale, QRgb not_a_number = 0);

/// The bins as a matrix whose labels are the numbers of their first cells.
MatrixData matrixOfBins(const MapBins& bins, const BinGrid& grid, Pool pool);

} // namespace attnlab::ui
