// Descriptions of arrays in device memory for the copy engine.
#pragma once

#include "gpu/hopper/hopper_layout.h"

#include <cuda.h>

namespace attnlab::gpu::hopper {

/// A description for 128-byte swizzled boxes of 64 columns. Returns a cudaError_t; cudaErrorSymbolNotFound where the
/// driver is too old for them, cudaErrorInvalidValue where it rejects this one.
int make_tensor_map(const TileSource& source, CUtensorMap& map);

} // namespace attnlab::gpu::hopper
