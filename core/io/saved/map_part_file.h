// Parts of a map that several processes compute: their files and how they are merged. A file is an .npz of the bins
// with one extra member, "map.json", so that numpy.load reads the bins.
#pragma once

#include "core/map/attention_map.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace attnlab {

// A map that several processes compute: each makes some rows of bins, and merging puts them together.

/// What a map was computed from. Parts of one map have the same.
struct MapOrigin {
    std::string settings;                         ///< of the problem, as JSON text
    std::map<std::string, std::string> checksums; ///< of each array that the map depends on
    std::int64_t batch = 0, head = 0;
    bool operator==(const MapOrigin&) const = default;
};

/// The bins of some rows of bins of a grid; sums only for Pool::Mean.
struct MapPart {
    std::string file; ///< its name in messages
    MapOrigin origin;
    Pool pool = Pool::Max;
    BinGrid grid;
    BinSpan rows;
    MapBins bins;                                      ///< rows.size() x grid.columns()
    std::vector<std::string> query_tokens, key_tokens; ///< of all rows and columns of the head, or empty
};

/// The bins of the whole grid, from parts in any order: bit for bit as in one run. Throws Error that names the files
/// where parts belong to different maps, overlap or leave rows out.
MapBins merge(const std::vector<MapPart>& parts);

} // namespace attnlab

namespace attnlab::io {

/// The origin of a map of one head. Reads every array once; throws Cancelled.
MapOrigin origin_of(const AttentionProblem& problem, std::int64_t batch, std::int64_t head,
                    const RunControl& control = {});

/// Arrays log2_max, kept and, for means, sum, float32, (rows of bins, columns of bins). Atomic as write_tensors. Throws
/// Error.
void write_map_part(const std::filesystem::path& path, const MapPart& part);

/// Throws Error that names the file, the member and what was expected; sizes are compared with the grid.
MapPart read_map_part(const std::filesystem::path& path);

} // namespace attnlab::io
