// A part of a map as a file: an .npz of its bins with one extra member, "map.json", so that numpy.load reads the bins.
#pragma once

#include "core/map/map_part.h"

#include <filesystem>

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
