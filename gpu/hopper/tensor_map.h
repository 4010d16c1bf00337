// What the copy engine has to know of an array in device memory.
#pragma once

#include "gpu/hopper/layout.h"

#include <cuda.h>

namespace attnlab::gpu::hopper {

/// A description for 128-byte swizzled boxes of 64 columns. Returns a cudaError_t; cudaErrorSymbolNotFound where the
/// driver is too old to have such descriptions, cudaErrorInvalidValue where it does not accept this one.
int make_tensor_map(const TileSource& source, CUtensorMap& map);

} // namespace attnlab::gpu::hopper
