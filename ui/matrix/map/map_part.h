// Some rows of a map that is still being computed.
#pragma once

#include "core/map/attention_map.h"

#include <memory>
#include <vector>

namespace attnlab::ui {

/// In bins of a screen's size.
struct MapPart {
    BinGrid grid;
    MapBins bins;
};

/// From the bins of some rows of cells; the whole map has `all_rows` of them.
std::shared_ptr<const MapPart> partOf(const BinGrid& grid, const MapBins& bins, std::int64_t all_rows);

using MapParts = std::vector<std::shared_ptr<const MapPart>>;

} // namespace attnlab::ui
