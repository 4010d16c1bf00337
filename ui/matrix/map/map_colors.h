// Converts pooled weights to colours.
#pragma once

#include "core/map/attention_map.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/matrix_data.h"

#include <QImage>

namespace attnlab::ui {

/// The pooled weight of a bin as double, which keeps numbers that float32 would round to 0. NaN where masked.
double binValue(const MapBins& bins, std::size_t bin, Pool pool);

/// Extends a range by every bin that is not masked.
void includeBins(ValueRange& range, const MapBins& bins, Pool pool);

/// The scale for a common range of all tiles. A logarithm covers at most twelve decades: with more, the largest weights
/// would share one colour.
ColorScale mapScale(const ColorChoice& choice, ValueRange range);

/// One pixel a bin; masked bins are transparent for a hatch below them. Kept bins that are NaN have the colour
/// `not_a_number`.
QImage imageOfBins(const MapBins& bins, Pool pool, const ColorScale& scale, QRgb not_a_number = 0);

/// The bins as a matrix whose labels are the numbers of their first cells.
MatrixData matrixOfBins(const MapBins& bins, const BinGrid& grid, Pool pool);

} // namespace attnlab::ui
