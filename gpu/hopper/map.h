// Launch functions of pooled maps, for the table of kernels. Plain C++17.
#pragma once

#include "gpu/map.h"

namespace attnlab::gpu::hopper {

/// For precision BFloat16 and widths 64 and 128. Unsupported maps, of single cells or with masks other than a band, are
/// passed to the tiled kernel of the same width, whose blocks have as many rows.
template <int width>
int launch_map(const MapArguments& arguments, void* stream);

} // namespace attnlab::gpu::hopper
