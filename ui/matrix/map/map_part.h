// Some rows of a map that is still being computed.
#pragma once

#include "core/map/attention_map.h"

#include <memory>
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

} // namespace attnlab::ui
