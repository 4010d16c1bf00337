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

using MapParts = std::vector<std::shared_ptr<const MapPart>>;

} // namespace attnlab::ui
