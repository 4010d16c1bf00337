// The numbers of query rows and keys of a block. Shared memory stays below the 99 KB that every device from sm_80 on
// has; registers below 255 without spills, which the build checks.
#pragma once

#include "gpu/portable/forward_tiles.h"

namespace attnlab::gpu {

/// A warp processes 32 rows, so that keys and values are read once for two row tiles, while registers suffice; with few
/// registers a tile has fewer keys, and above a width of 128 a warp has 16 rows.
constexpr int row_tiles_of(int width) { return width > 16 && width <= 128 ? 2 : 1; }
constexpr int keys_of16(int width) { return width > 64 && width <= 128 ? 32 : 64; }
constexpr int keys_of32(int width) { return width <= 128 ? 32 : 16; }

template <class Machine, Precision precision, int width>
using Products16Of = Products16<Machine, precision, width, 4, row_tiles_of(width), keys_of16(width)>;

template <class Machine, int width>
using Products32Of = Products32<Machine, width, 4, keys_of32(width)>;

/// A map keeps its queries in registers, which leaves room for the scores of this many keys.
constexpr int keys_of_map(int width) { return width > 128 ? 32 : 64; }

template <class Machine, int width>
using MapProducts16Of = Products16<Machine, Precision::BFloat16, width, 4, row_tiles_of(width), keys_of_map(width)>;

/// Fewer rows for large widths, to leave room for two tiles of keys.
constexpr int warps_of_map32(int width) { return width <= 128 ? 4 : 2; }

template <class Machine, int width>
using MapProducts32Of = Products32<Machine, width, warps_of_map32(width), keys_of32(width)>;

} // namespace attnlab::gpu
