// How many query rows and keys a block takes at a time. Shared memory stays below the 99 KB that every device from
// sm_80 on has; registers below 255 without spills, which the build checks.
#pragma once

#include "gpu/portable/forward_tiles.h"

namespace attnlab::gpu {

/// A warp takes 32 rows, so that what it reads of keys and values serves twice, as long as the registers last; where
/// they are scarce a tile has fewer keys, and above a width of 128 a warp has 16 rows.
constexpr int row_tiles_of(int width) { return width > 16 && width <= 128 ? 2 : 1; }
constexpr int keys_of16(int width) { return width > 64 && width <= 128 ? 32 : 64; }
constexpr int keys_of32(int width) { return width <= 128 ? 32 : 16; }

template <class Machine, Precision precision, int width>
using Products16Of = Products16<Machine, precision, width, 4, row_tiles_of(width), keys_of16(width)>;

template <class Machine, int width>
using Products32Of = Products32<Machine, width, 4, keys_of32(width)>;

/// A map keeps its queries in registers, and the scores of no more keys than are left for.
constexpr int keys_of_map(int width) { return width > 128 ? 32 : 64; }

template <class Machine, int width>
using MapProducts16Of = Products16<Machine, Precision::BFloat16, width, 4, row_tiles_of(width), keys_of_map(width)>;

/// Fewer rows where they are wide, so that two tiles of keys have room beside them.
constexpr int warps_of_map32(int width) { return width <= 128 ? 4 : 2; }

template <class Machine, int width>
using MapProducts32Of = Products32<Machine, width, warps_of_map32(width), keys_of32(width)>;

} // namespace attnlab::gpu
